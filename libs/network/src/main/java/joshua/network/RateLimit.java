package joshua.network;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The token bucket of one connection: a number of calls a second, twice as many in a burst (wire
 * contract §5). Guarded by {@code lock}.
 */
public final class RateLimit {
  private static final int BURST_SECONDS = 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final double perNano;
  private final double burst;
  private final LongSupplier nanoTime;
  private double tokens;
  private long filledAt;

  /**
   * Starts with a full bucket.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public RateLimit(int perSecond, LongSupplier nanoTime) {
    if (perSecond < 1) {
      throw new IllegalArgumentException("a rate limit must be at least one call a second");
    }
    this.perNano = perSecond / (double) TimeUnit.SECONDS.toNanos(1);
    this.burst = (double) BURST_SECONDS * perSecond;
    this.nanoTime = nanoTime;
    this.tokens = burst;
    this.filledAt = nanoTime.getAsLong();
  }

  /** Takes one call's token: 0, or how many milliseconds to wait before one is there. */
  public long take() {
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      tokens = Math.min(burst, tokens + (now - filledAt) * perNano);
      filledAt = now;
      if (tokens >= 1) {
        tokens -= 1;
        return 0;
      }
      return Math.max(1, (long) Math.ceil((1 - tokens) / perNano / 1_000_000));
    } finally {
      lock.unlock();
    }
  }
}
