package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import joshua.kernel.Json;
import joshua.network.CallContext.Question;

/** Which questions a client declares to answer. */
final class Capabilities {
  private static final Map<String, String> OF_METHOD =
      Map.of(
          "elicitation/create", "elicitation",
          "sampling/createMessage", "sampling",
          "roots/list", "roots");

  private Capabilities() {}

  /** The methods of a client with these capabilities. */
  static Set<String> methods(JsonNode capabilities) {
    Set<String> methods = new HashSet<>();
    OF_METHOD.forEach((method, capability) -> {
      if (capabilities.path(capability).isObject()) {
        methods.add(method);
      }
    });
    return methods;
  }

  /** What a client would have to declare to be asked these. */
  static ObjectNode required(Collection<Question> questions) {
    ObjectNode required = Json.object();
    for (Question question : questions) {
      ObjectNode capability = required.withObjectProperty(capability(question.method()));
      if (question.method().equals("elicitation/create")) {
        capability.putObject("form");
      }
    }
    return required;
  }

  private static String capability(String method) {
    String capability = OF_METHOD.get(method);
    if (capability == null) {
      throw new IllegalArgumentException("no client of MCP answers " + method);
    }
    return capability;
  }

  /** Whether it can be an answer to a question of that method. */
  static boolean fits(String method, JsonNode answer) {
    return switch (method) {
      case "elicitation/create" ->
          Set.of("accept", "decline", "cancel").contains(answer.path("action").asText());
      case "sampling/createMessage" -> answer.has("role") && answer.has("content");
      default -> answer.path("roots").isArray();
    };
  }
}
