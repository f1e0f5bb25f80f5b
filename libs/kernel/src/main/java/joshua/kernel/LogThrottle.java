package joshua.kernel;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A throttle for log lines about events that outsiders can trigger at will: one line per interval,
 * with the number of occurrences. Guarded by {@code lock}.
 */
public final class LogThrottle {
  private final ReentrantLock lock = new ReentrantLock();
  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private long next;
  private long count;

  /**
   * Creates a throttle that lets the first occurrence through.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public LogThrottle(Duration interval, LongSupplier nanoTime) {
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
    this.next = nanoTime.getAsLong();
  }

  /**
   * Counts an occurrence.
   *
   * @return the number of occurrences since the last line if a line is due now, else 0
   */
  public long occurred() {
    lock.lock();
    try {
      count++;
      long now = nanoTime.getAsLong();
      if (now - next < 0) {
        return 0;
      }
      next = now + intervalNanos;
      long due = count;
      count = 0;
      return due;
    } finally {
      lock.unlock();
    }
  }
}
