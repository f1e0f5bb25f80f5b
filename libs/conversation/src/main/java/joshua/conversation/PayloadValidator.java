package joshua.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import joshua.kernel.Json;

/**
 * A check that every peer can read a payload once it is written: not deeper, and no number longer,
 * than {@link Json} reads, and no text that isn't Unicode.
 */
final class PayloadValidator {
  /** The envelope itself is one level. */
  static final int MAX_DEPTH = Json.MAX_DEPTH - 1;

  private static final int MAX_NAME_LENGTH = 10_000;

  private PayloadValidator() {}

  /** The rule that the payload breaks, if any. */
  static Optional<String> fault(ObjectNode payload) {
    return fault(payload, 1);
  }

  private static Optional<String> fault(JsonNode node, int depth) {
    if (node.isContainerNode() && depth > MAX_DEPTH) {
      return Optional.of("must be nested at most %d levels deep".formatted(MAX_DEPTH));
    }
    if (node.isObject()) {
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        Optional<String> fault =
            name(member.getKey()).or(() -> fault(member.getValue(), depth + 1));
        if (fault.isPresent()) {
          return fault;
        }
      }
    } else if (node.isArray()) {
      for (JsonNode element : node) {
        Optional<String> fault = fault(element, depth + 1);
        if (fault.isPresent()) {
          return fault;
        }
      }
    } else if (node.isTextual()) {
      return text(node.textValue());
    } else if ((node.isBigDecimal() || node.isBigInteger())
        && node.asText().length() > Json.MAX_NUMBER_LENGTH) {
      return Optional.of(
          "must have no number of more than %d characters".formatted(Json.MAX_NUMBER_LENGTH));
    }
    return Optional.empty();
  }

  private static Optional<String> name(String name) {
    return name.length() > MAX_NAME_LENGTH
        ? Optional.of(
            "must have no member name of more than %d characters".formatted(MAX_NAME_LENGTH))
        : text(name);
  }

  private static Optional<String> text(String text) {
    return Json.isUnicode(text)
        ? Optional.empty()
        : Optional.of("must have no half of a surrogate pair in its text");
  }
}
