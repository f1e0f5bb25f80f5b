package joshua.tasks;

import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who hears of the {@link CrashPoint}s that tasks reach. In the program that is the log, at level
 * debug: so a crash can be timed from outside without a back door; tests of this package listen in.
 */
@FunctionalInterface
interface CrashPoints {
  void reached(CrashPoint crashPoint, UUID taskId);

  /** The program's: {@code point WORK_DONE of task …}. */
  static CrashPoints logged() {
    Logger log = LoggerFactory.getLogger(CrashPoints.class);
    return (crashPoint, taskId) -> log.debug("point {} of task {}", crashPoint, taskId);
  }
}
