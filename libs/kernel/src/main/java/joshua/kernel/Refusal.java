package joshua.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An expected refusal: the code, a sentence for people, and the members that the contract adds to
 * some codes ({@code outcome}, {@code retry_after_ms}, {@code gap}).
 */
public record Refusal(ErrorCode code, String message, Map<String, JsonNode> details) {

  public Refusal {
    details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
  }

  public static Refusal of(ErrorCode code, String message) {
    return new Refusal(code, message, Map.of());
  }

  /** Refuses an input by the member and the rule that it breaks. */
  public static Refusal invalidInput(String member, String rule) {
    return of(ErrorCode.INVALID_INPUT, member + " " + rule);
  }

  public Refusal with(String member, JsonNode value) {
    Map<String, JsonNode> more = new LinkedHashMap<>(details);
    more.put(member, value);
    return new Refusal(code, message, more);
  }

  /** The contract's error object: {@code {"status":"error","code","message",…details}}. */
  public ObjectNode tree() {
    ObjectNode tree =
        Json.object().put("status", "error").put("code", code.wireName()).put("message", message);
    details.forEach(tree::set);
    return tree;
  }
}
