package joshua.conversation;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Redis can't be reached, or refuses what is asked; the message is a sentence for people. */
public final class BusUnavailableException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public BusUnavailableException(String message) {
    super(message);
  }

  public BusUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
