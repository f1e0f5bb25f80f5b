package joshua.thought;

import java.util.List;

/** A model's complete response to one request. */
public record ModelCompletion(
    String text, List<ToolRequest> toolRequests, Finish finish, AnswerUsage usage) {
  /** Why the model stopped. */
  public enum Finish {
    /** The answer is complete. */
    DONE,
    /** It waits for the results of tool calls. */
    TOOLS,
    /** It reached its output limit. */
    LENGTH,
    /** Its provider withheld the rest. */
    FILTERED
  }

  public ModelCompletion {
    toolRequests = List.copyOf(toolRequests);
  }
}
