package joshua.kernel;

import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A source of increasing version 7 UUIDs: each is greater than the one before, even within one
 * millisecond, and whatever the clock does (RFC 9562 §6.2, a counter in the 12 bits after the
 * time). When the counter overflows, the next millisecond is used early. Any thread may ask.
 *
 * <p>The other 62 bits keep the ids of many processes apart. They are no secret, and asking the
 * system for them would cost a third of a microsecond.
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
    long millis = stamp >>> COUNTER_BITS;
    long counter = stamp & ((1 << COUNTER_BITS) - 1);
    long random = ThreadLocalRandom.current().nextLong() >>> 2;
    return new UUID((millis << 16) | 0x7000L | counter, 0x8000_0000_0000_0000L | random);
  }

  /** The lower bound of all ids generated at a time or later. */
  public static UUID earliest(Instant time) {
    return new UUID((time.toEpochMilli() << 16) | 0x7000L, 0x8000_0000_0000_0000L);
  }
}
