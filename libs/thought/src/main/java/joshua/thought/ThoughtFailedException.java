package joshua.thought;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when there is no answer: a task that receives it is FAILED (REQ-FD-06). The message is fit
 * for the asker: what was tried, on what, what to do next. Neither it nor the cause holds a secret.
 */
public sealed class ThoughtFailedException extends Exception permits ThoughtRefusedException {
  private static final long serialVersionUID = 1L;

  public ThoughtFailedException(String message) {
    super(message);
  }

  public ThoughtFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Wraps a model's failure. */
  ThoughtFailedException(ModelFailedException failure) {
    super(failure.getMessage(), failure);
  }
}
