package joshua.state;

import java.time.Duration;

/**
 * Thrown when a read exceeds its time limit; the database is well. The message is a sentence for
 * the caller.
 */
public final class ReadTooLongException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReadTooLongException(Duration most, Throwable cause) {
    super(
        "It took longer than %d ms, the most that one look may take. Ask for less, a shorter time for instance."
            .formatted(most.toMillis()),
        cause);
  }
}
