package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import joshua.network.Unmet;

/**
 * What a client says it can do, of MCP's {@code ClientCapabilities} what is asked for here. Nothing
 * else of what the client sends is kept.
 *
 * @param takesTasks the tasks extension
 */
record Capabilities(boolean elicitation, boolean sampling, boolean roots, boolean takesTasks) {
  static final Capabilities NONE = new Capabilities(false, false, false, false);

  /** Of MCP's object. */
  static Capabilities of(JsonNode declared) {
    return new Capabilities(
        declared.has("elicitation"),
        declared.has("sampling"),
        declared.has("roots"),
        declared.path("extensions").has(Unmet.TASKS));
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
