package joshua.kernel;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A wrapper of recurring work, which a scheduler would cancel silently at its first failure. */
public final class Recurring {
  private static final Logger log = LoggerFactory.getLogger(Recurring.class);

  private Recurring() {}

  /** The same work with its failures logged, so that it runs again. */
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
