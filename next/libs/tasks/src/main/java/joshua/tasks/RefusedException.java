package joshua.tasks;

import java.io.Serial;

/** A task that can't be done, for a reason that is nobody's mistake; the message tells it. */
public final class RefusedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public RefusedException(String sentence) {
    super(sentence);
  }
}
