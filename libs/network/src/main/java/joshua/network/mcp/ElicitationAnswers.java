package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The reader of clients' answers to questions. */
final class ElicitationAnswers {
  /** The most answers in one request. */
  static final int MAX_ANSWERS = 64;

  private static final Set<String> ACTIONS = Set.of("accept", "decline", "cancel");

  private ElicitationAnswers() {}

  /** The answers by key, of those that are objects; a client may send too many or too few. */
  static Map<String, ObjectNode> read(JsonNode inputResponses) throws RpcError.RpcFailureException {
    if (inputResponses.isMissingNode()) {
      return Map.of();
    }
    if (!inputResponses.isObject() || inputResponses.size() > MAX_ANSWERS) {
      throw new RpcError.RpcFailureException(
          RpcError.invalidParams(
              "inputResponses must be an object of at most " + MAX_ANSWERS + " members."));
    }
    Map<String, ObjectNode> answers = new LinkedHashMap<>();
    inputResponses
        .properties()
        .forEach(member -> {
          if (member.getValue() instanceof ObjectNode answer) {
            answers.put(member.getKey(), answer);
          }
        });
    return answers;
  }

  /** Whether it can be an answer to a question of that method. */
  static boolean fits(String method, ObjectNode answer) {
    return switch (method) {
      case "elicitation/create" -> ACTIONS.contains(answer.path("action").asText());
      case "sampling/createMessage" -> answer.has("role") && answer.has("content");
      case "roots/list" -> answer.path("roots").isArray();
      default -> false;
    };
  }
}
