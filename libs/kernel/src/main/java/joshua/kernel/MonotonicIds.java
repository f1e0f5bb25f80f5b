package joshua.kernel;

import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A source of increasing version 7 UUIDs: each is greater than the previous one, even within one
 * millisecond, and whatever the clock does (RFC 9562 §6.2, a counter in the 12 bits after the
 * time). When the counter overflows, the next millisecond is used early. Safe to use from any
 * thread.
 */
public final class MonotonicIds {
  private static final int COUNTER_BITS = 12;

  private final InstantSource time;

  /** The milliseconds and the counter of the latest UUID. */
  private final AtomicLong latest = new AtomicLong();

  public MonotonicIds(InstantSource time) {
    this.time = time;
  }

  public UUID next() {
    long earliest = time.millis() << COUNTER_BITS;
    long stamp = latest.updateAndGet(before -> Math.max(before + 1, earliest));
    return BusIdentifiers.version7(stamp >>> COUNTER_BITS, stamp & ((1 << COUNTER_BITS) - 1));
  }
}
