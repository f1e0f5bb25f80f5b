package joshua.state;

import java.io.Serial;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.RefusalException;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a database: its file, its disk or the load is at fault, not the statement. The
 * message is a sentence for the caller that says what to do.
 */
public final class StoreException extends RefusalException {
  @Serial private static final long serialVersionUID = 1L;

  StoreException(ErrorCode code, String sentence, @Nullable Throwable cause) {
    super(Refusal.of(code, sentence), cause);
  }

  StoreException(String sentence, @Nullable Throwable cause) {
    this(ErrorCode.INTERNAL, sentence, cause);
  }
}
