package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.thought.model.Answer.Usage;
import org.jspecify.annotations.Nullable;

/** The outcome of an attempt at a task. */
public sealed interface Outcome {
  /** Success: the result is the streamed text with these members. */
  record Completed(ObjectNode members, @Nullable String model, @Nullable Usage usage)
      implements Outcome {}

  /** Failure: the message is for the requester; the trace is empty if nothing was thrown. */
  record Failed(String message, String stackTrace) implements Outcome {
    public Failed(String message) {
      this(message, "");
    }
  }

  /** Interruption: the task is tried again. */
  record Interrupted() implements Outcome {}
}
