package joshua.kernel;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Recurring work, which a scheduler would cancel without a word at its first failure. */
public final class Recurring {
  private static final Logger log = LoggerFactory.getLogger(Recurring.class);

  private Recurring() {}

  /** The same work, which logs what it fails with, and goes on the next time. */
  public static Runnable surviving(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        log.warn("recurring work failed; it goes on", e);
      }
    };
  }
}
