package joshua.kernel;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that excludes the time in which the process was suspended: a closed laptop, a
 * stopped JVM. It must be read more often than once in {@link #MAX_STEP}. Guarded by itself.
 */
public final class AwakeTime {
  /** A longer step between two readings counts as suspension. */
  static final Duration MAX_STEP = Duration.ofSeconds(5);

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
    awake += Math.min(now - last, MAX_STEP.toNanos());
    last = now;
    return awake;
  }
}
