package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.network.Unmet;

/** What a client says it can do: MCP's {@code ClientCapabilities}. */
record Capabilities(ObjectNode declared) {
  static final Capabilities NONE = new Capabilities(Json.object());

  /** Whether it answers questions of that method. */
  boolean answers(String method) {
    return switch (method) {
      case "elicitation/create" -> declared.has("elicitation");
      case "sampling/createMessage" -> declared.has("sampling");
      case "roots/list" -> declared.has("roots");
      default -> false;
    };
  }

  boolean takesTasks() {
    return declared.path("extensions").has(Unmet.TASKS);
  }
}
