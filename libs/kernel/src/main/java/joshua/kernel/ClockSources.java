package joshua.kernel;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The sources of time: the wall clock, which other processes read and an admin may set; a steady
 * clock for measuring durations; and a way to wait.
 *
 * @param nanoTime a clock like {@link System#nanoTime}
 */
public record ClockSources(InstantSource time, LongSupplier nanoTime, TimedWait pause) {

  /** The current time of the steady clock. */
  public long nanos() {
    return nanoTime.getAsLong();
  }

  /** The time of the steady clock after {@code duration}. */
  public long in(Duration duration) {
    return nanos() + duration.toNanos();
  }

  /** Whether the steady clock has reached {@code moment}. */
  public boolean reached(long moment) {
    return nanos() - moment >= 0;
  }
}
