package joshua.conversation.redis;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delay before a reconnect (REQ-JC-07): a random part of 100 ms for the first attempt, of twice
 * that for each further one, of 10 s at most.
 */
record ReconnectBackoff(RandomGenerator random) {
  static final Duration FIRST = Duration.ofMillis(100);
  static final Duration MOST = Duration.ofSeconds(10);

  private static final int DOUBLINGS_TO_MOST = 7;

  /** The longest wait before attempt {@code attempt}, counted from 0. */
  static Duration ceiling(int attempt) {
    Duration doubled = FIRST.multipliedBy(1L << Math.min(attempt, DOUBLINGS_TO_MOST));
    return doubled.compareTo(MOST) < 0 ? doubled : MOST;
  }

  /** The wait before attempt {@code attempt}: full jitter, so that many clients spread out. */
  Duration before(int attempt) {
    return Duration.ofMillis(random.nextLong(ceiling(attempt).toMillis() + 1));
  }
}
