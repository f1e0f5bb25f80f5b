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

  /** The description of a prompt. */
  record Spec(String name, String title, String description, List<Argument> arguments) {
    public Spec {
      arguments = List.copyOf(arguments);
    }
  }

  Spec spec();

  /**
   * Returns the messages, each an MCP {@code PromptMessage}; the required arguments are present.
   */
  List<ObjectNode> messages(Map<String, String> arguments, Caller caller, CallContext callContext)
      throws InterruptedException;

  /** Values that complete what was typed of an argument, best first. */
  default List<String> complete(String argument, String typed, Caller caller) {
    return List.of();
  }
}
