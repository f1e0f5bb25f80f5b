package joshua.thought.model;

import java.io.Serial;

/**
 * A model's answer was lost while this process slept: a closed laptop, a stopped JVM. That is
 * nobody's fault, so it is to be tried again.
 */
public final class SleptException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public SleptException(Throwable cause) {
    super("this process slept while it waited for a model", cause);
  }
}
