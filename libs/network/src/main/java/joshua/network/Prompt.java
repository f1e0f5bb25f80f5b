package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** A text for a model that its user picks by name, or by its title. */
public record Prompt(
    String name, String title, String description, List<Argument> arguments, Text text) {

  /** What a user fills in. */
  public record Argument(String name, String description, boolean required) {}

  /** The text: blocks of MCP. May wait. */
  @FunctionalInterface
  public interface Text {
    List<ObjectNode> content(Map<String, String> arguments, CallContext context)
        throws InterruptedException;
  }
}
