package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** A prompt of MCP: a text for a model that its user picks by name or title. */
public record Prompt(
    String name, String title, String description, List<Argument> arguments, Text text) {

  /** A parameter, for the user. */
  public record Argument(String name, String description, boolean required) {}

  /** The source of the text, as content blocks of MCP; may block. */
  @FunctionalInterface
  public interface Text {
    List<ObjectNode> content(Map<String, String> arguments, CallContext context)
        throws InterruptedException;
  }
}
