package joshua.thought;

import org.jspecify.annotations.Nullable;

/**
 * No answer: a task that gets this is FAILED (REQ-FD-06). The message is fit for the asker: what
 * was tried, on what, what to do next. Neither it nor the cause holds a secret.
 */
public sealed class ThoughtFailedException extends Exception permits ThoughtRefusedException {
  private static final long serialVersionUID = 1L;

  public ThoughtFailedException(String message) {
    super(message);
  }

  public ThoughtFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The model's failure is the thought's. */
  ThoughtFailedException(ModelFailedException failure) {
    super(failure.getMessage(), failure);
  }
}
