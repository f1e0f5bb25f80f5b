package joshua.state;

import java.time.Duration;

/**
 * The end of a read that had a time limit and wasn't over by then: the database is well. The
 * message is a sentence for whoever asked.
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
