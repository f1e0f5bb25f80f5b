package joshua.state;

import java.io.Serial;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The database can't do it at present: its file or disk is at fault, not the statement. The message
 * is a sentence that says what to do, and may be shown to whoever asked.
 */
public final class StoreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  StoreException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  /** What a caller is told. */
  public Refusal refusal() {
    return Refusal.of(ErrorCode.INTERNAL, String.valueOf(getMessage()));
  }
}
