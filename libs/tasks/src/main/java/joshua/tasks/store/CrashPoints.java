package joshua.tasks.store;

import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener for the {@link CrashPoint}s that tasks reach. In production it logs them at level
 * debug, so that a crash can be timed from outside without a back door; tests of this package
 * listen in.
 */
@FunctionalInterface
public interface CrashPoints {
  void reached(CrashPoint crashPoint, UUID taskId);

  /** The production listener, which logs {@code point WORK_DONE of task …}. */
  static CrashPoints logged() {
    Logger log = LoggerFactory.getLogger(CrashPoints.class);
    return (crashPoint, taskId) -> log.debug("point {} of task {}", crashPoint, taskId);
  }
}
