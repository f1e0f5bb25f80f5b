package joshua.state;

import joshua.kernel.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the database couldn't do a caller's work: nothing of it is written. The message is a
 * sentence for the admin; it names the file, so peers get the code and not the sentence.
 */
public final class StoreUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  StoreUnavailableException(ErrorCode code, String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
    this.code = code;
  }

  /**
   * {@code overloaded} if too much work waits, {@code internal} if the file or disk is at fault.
   */
  public ErrorCode code() {
    return code;
  }

  /** A copy for another caller, with that caller's stack. */
  StoreUnavailableException again() {
    return new StoreUnavailableException(code, String.valueOf(getMessage()), this);
  }
}
