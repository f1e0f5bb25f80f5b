package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.thought.model.Answer.Usage;
import org.jspecify.annotations.Nullable;

/** How an attempt at a task ended. */
public sealed interface Outcome {
  /** It is done: the result is the text that was streamed, and these members. */
  record Completed(ObjectNode members, @Nullable String model, @Nullable Usage usage)
      implements Outcome {}

  /** It can't be done; the message is for the requester, the trace empty if nothing was thrown. */
  record Failed(String message, String stackTrace) implements Outcome {
    public Failed(String message) {
      this(message, "");
    }
  }

  /** It is to be tried again, through no fault of its own. */
  record Interrupted() implements Outcome {}
}
