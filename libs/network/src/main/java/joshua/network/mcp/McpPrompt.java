package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import joshua.network.CallContext;
import joshua.network.Caller;

/** An MCP prompt: text that a user picks by name. */
public interface McpPrompt {
  /** One argument of a prompt. */
  record Argument(String name, String description, boolean required) {}

  /** What a prompt tells of itself. */
  record Spec(String name, String title, String description, List<Argument> arguments) {
    public Spec {
      arguments = List.copyOf(arguments);
    }
  }

  Spec spec();

  /** The messages, each an MCP {@code PromptMessage}; the required arguments are there. */
  List<ObjectNode> messages(Map<String, String> arguments, Caller caller, CallContext callContext)
      throws InterruptedException;

  /** Values that complete what was typed of an argument, best first. */
  default List<String> complete(String argument, String typed, Caller caller) {
    return List.of();
  }
}
