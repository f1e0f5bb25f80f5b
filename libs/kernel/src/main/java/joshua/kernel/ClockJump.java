package joshua.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A detector of jumps of the wall clock: it compares the time of day with the steady clock, so it
 * notices that the time was set or that the machine slept. Guarded by {@code lock}.
 */
public final class ClockJump {
  private final ReentrantLock lock = new ReentrantLock();
  private final ClockSources clockSources;
  private final Duration tolerated;
  private Instant time;
  private long nanos;

  /**
   * Starts comparing now.
   *
   * @param tolerated how far the two clocks may drift apart between checks
   */
  public ClockJump(ClockSources clockSources, Duration tolerated) {
    this.clockSources = clockSources;
    this.tolerated = tolerated;
    this.time = clockSources.time().instant();
    this.nanos = clockSources.nanos();
  }

  /** Whether the clock has jumped since the last call. */
  public boolean happened() {
    lock.lock();
    try {
      Instant timeBefore = time;
      long nanosBefore = nanos;
      time = clockSources.time().instant();
      nanos = clockSources.nanos();
      Duration apart = Duration.between(timeBefore, time).minusNanos(nanos - nanosBefore).abs();
      return apart.compareTo(tolerated) > 0;
    } finally {
      lock.unlock();
    }
  }
}
