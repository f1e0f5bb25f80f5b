package joshua.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Notices that the time of day was set, or that the machine slept: that it moved by something else
 * than the steady clock did. Guarded by {@code lock}.
 */
public final class ClockJump {
  private final ReentrantLock lock = new ReentrantLock();
  private final ClockSources clockSources;
  private final Duration tolerated;
  private Instant time;
  private long nanos;

  /**
   * Compares from now on.
   *
   * @param tolerated how far both may drift apart from one look to the next
   */
  public ClockJump(ClockSources clockSources, Duration tolerated) {
    this.clockSources = clockSources;
    this.tolerated = tolerated;
    this.time = clockSources.time().instant();
    this.nanos = clockSources.nanos();
  }

  /** Whether it happened since the last look. */
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
