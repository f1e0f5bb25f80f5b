package joshua.kernel;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A clock for how long something takes, which leaves out what the process slept: a closed laptop, a
 * stopped JVM. Whoever uses it looks at it more often than once in {@link #LONGEST}. Guarded by
 * itself.
 */
public final class AwakeTime {
  /** Between two looks, more than this was sleep. */
  static final Duration LONGEST = Duration.ofSeconds(5);

  private final LongSupplier nanos;
  private long last;
  private long awake;

  public AwakeTime(LongSupplier nanos) {
    this.nanos = nanos;
    this.last = nanos.getAsLong();
  }

  /** Nanoseconds that this process was awake. */
  public synchronized long nanos() {
    long now = nanos.getAsLong();
    awake += Math.min(now - last, LONGEST.toNanos());
    last = now;
    return awake;
  }
}
