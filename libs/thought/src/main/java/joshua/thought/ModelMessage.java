package joshua.thought;

import java.util.List;

/** One message of a dialogue with a model, after the system prompt. */
public sealed interface ModelMessage {
  /** From the asker, or from the engine on the asker's behalf. */
  record User(String text) implements ModelMessage {}

  /** The model's text and tool requests. */
  record Assistant(String text, List<ToolRequest> toolRequests) implements ModelMessage {
    public Assistant {
      toolRequests = List.copyOf(toolRequests);
    }
  }

  /** The result of one tool request. */
  record ToolResult(ToolRequest request, String text, boolean failed) implements ModelMessage {}

  /** How many tokens of the context it uses. */
  default int tokens() {
    return TokenEstimate.count(
        switch (this) {
          case User user -> user.text();
          case Assistant assistant -> assistant.text() + assistant.toolRequests();
          case ToolResult result -> result.text();
        });
  }
}
