package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.thought.model.Usage;
import org.jspecify.annotations.Nullable;

/** How an attempt at a task ended. */
public sealed interface Outcome {
  /**
   * It is done; its text is what was streamed.
   *
   * @param members of the result besides the text
   * @param model which wrote it, if one did
   */
  record Completed(ObjectNode members, @Nullable String model, @Nullable Usage usage)
      implements Outcome {}

  /**
   * It can't be done.
   *
   * @param message for the requester
   * @param stackTrace empty where nothing was thrown
   */
  record Failed(String message, String stackTrace) implements Outcome {
    public Failed(String message) {
      this(message, "");
    }
  }

  /** It is to be tried again, through no fault of its own. */
  record Interrupted() implements Outcome {}
}
