package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;

/** The translation of a MAD's errors into refusals. */
final class MadFailures {
  private static final Set<String> NO_DETAILS = Set.of("status", "code", "message");
  private static final int INVALID_PARAMS = -32602;
  private static final int LEGACY_RESOURCE_NOT_FOUND = -32002;

  private MadFailures() {}

  /** The refusal in a JSON-RPC error. */
  static Refusal refusal(ObjectNode error) {
    ObjectNode data = error.get("data") instanceof ObjectNode object ? object : Json.object();
    return refusal(data, error.path("message").asText());
  }

  /**
   * The refusal in an error object (wire contract §3).
   *
   * @param message what to say where the object says nothing
   */
  static Refusal refusal(ObjectNode error, String message) {
    String said = error.path("message").asText();
    String sentence = said.isEmpty() ? message : said;
    Refusal refusal =
        Refusal.of(
            code(error.path("code").asText()).orElse(ErrorCode.INTERNAL),
            sentence.isEmpty() ? "It failed, and didn't say why." : sentence);
    for (Map.Entry<String, JsonNode> detail : error.properties()) {
      if (!NO_DETAILS.contains(detail.getKey())) {
        refusal = refusal.with(detail.getKey(), detail.getValue());
      }
    }
    return refusal;
  }

  /** Whether a JSON-RPC error says that there is no such thing. */
  static boolean notFound(ObjectNode error) {
    int code = error.path("code").asInt();
    return code == INVALID_PARAMS || code == LEGACY_RESOURCE_NOT_FOUND;
  }

  private static Optional<ErrorCode> code(String wireName) {
    return Stream.of(ErrorCode.values())
        .filter(code -> code.wireName().equals(wireName))
        .findFirst();
  }
}
