package joshua.kernel;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * What tells the time and what waits: the time of day, which others read and somebody may set; a
 * steady clock for how long something takes; and a pause.
 *
 * @param nanoTime a clock like {@link System#nanoTime}
 */
public record ClockSources(InstantSource time, LongSupplier nanoTime, TimedWait pause) {

  /** Now, on the steady clock. */
  public long nanos() {
    return nanoTime.getAsLong();
  }

  /** When so much time will have passed, on the steady clock. */
  public long in(Duration duration) {
    return nanos() + duration.toNanos();
  }

  /** Whether a moment of the steady clock has come. */
  public boolean reached(long moment) {
    return nanos() - moment >= 0;
  }
}
