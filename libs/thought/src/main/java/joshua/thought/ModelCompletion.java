package joshua.thought;

import java.util.List;

/** What a model made of one request, whole. */
public record ModelCompletion(
    String text, List<ToolRequest> toolRequests, Finish finish, AnswerUsage usage) {
  /** Why the model stopped. */
  public enum Finish {
    /** It had said what it had to say. */
    DONE,
    /** It waits for what it asked to have run. */
    TOOLS,
    /** It reached the limit of its output. */
    LENGTH,
    /** Its provider kept the rest back. */
    FILTERED
  }

  public ModelCompletion {
    toolRequests = List.copyOf(toolRequests);
  }
}
