package joshua.bench;

import java.time.Duration;

/**
 * The limit of a span of work: it ends when {@code count} pieces have begun or {@code time} has
 * passed, whichever comes first.
 */
record WorkLimit(int count, Duration time) {
  WorkLimit {
    if (count < 1 || time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("count and time must be positive");
    }
  }
}
