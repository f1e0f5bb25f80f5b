package joshua.conversation;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The failure to reach Redis, or its refusal of a command; the message is for people. */
public final class BusUnavailableException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public BusUnavailableException(String message) {
    super(message);
  }

  public BusUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
