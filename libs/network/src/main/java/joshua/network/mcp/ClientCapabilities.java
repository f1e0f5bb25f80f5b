package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import joshua.network.UnmetRequirementException;

/**
 * The capabilities that a client declares: the part of MCP's {@code ClientCapabilities} that is
 * used here. Nothing else of it is kept.
 *
 * @param takesTasks the tasks extension
 */
record ClientCapabilities(
    boolean elicitation, boolean sampling, boolean roots, boolean takesTasks) {
  static final ClientCapabilities NONE = new ClientCapabilities(false, false, false, false);

  /** Of MCP's object. */
  static ClientCapabilities of(JsonNode declared) {
    return new ClientCapabilities(
        declared.has("elicitation"),
        declared.has("sampling"),
        declared.has("roots"),
        declared.path("extensions").has(UnmetRequirementException.TASKS));
  }

  /** Whether it answers questions of that method. */
  boolean answers(String method) {
    return switch (method) {
      case "elicitation/create" -> elicitation;
      case "sampling/createMessage" -> sampling;
      case "roots/list" -> roots;
      default -> false;
    };
  }
}
