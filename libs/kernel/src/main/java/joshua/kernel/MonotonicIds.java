package joshua.kernel;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A source of increasing version 7 UUIDs: each is greater than the one before, even within one
 * millisecond, and whatever the clock does (RFC 9562 §6.2, a counter in the 12 bits after the
 * time). When the counter overflows, the next millisecond is used early. Any thread may ask.
 *
 * <p>The other 62 bits keep the ids of many processes apart. They are no secret: they come from a
 * generator that is seeded once, since asking the system for each costs a third of a microsecond.
 */
public final class MonotonicIds {
  private static final int COUNTER_BITS = 12;
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
  private static final AtomicLong random = new AtomicLong(new SecureRandom().nextLong());

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
    long least = (splitMix64() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID((millis << 16) | 0x7000L | counter, least);
  }

  /** What is smaller than every id of a time and later. */
  public static UUID earliest(Instant time) {
    return new UUID((time.toEpochMilli() << 16) | 0x7000L, 0x8000_0000_0000_0000L);
  }

  private static long splitMix64() {
    long z = random.addAndGet(GOLDEN_GAMMA);
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
