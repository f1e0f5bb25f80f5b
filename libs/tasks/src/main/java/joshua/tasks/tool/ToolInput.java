package joshua.tasks.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;

/** Reads members of a tool's input that may be absent or null. */
final class ToolInput {
  private ToolInput() {}

  static Optional<String> text(ObjectNode input, String member) {
    return Optional.ofNullable(input.get(member)).filter(JsonNode::isTextual).map(JsonNode::asText);
  }

  static Optional<UUID> uuid(ObjectNode input, String member) {
    return text(input, member).flatMap(BusIdentifiers::parseUuid);
  }

  /** A member that the tool's schema requires and checks. */
  static UUID taskId(ObjectNode input) {
    return uuid(input, "task_id").orElseThrow();
  }
}
