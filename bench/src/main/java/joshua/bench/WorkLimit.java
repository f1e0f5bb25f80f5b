package joshua.bench;

import java.time.Duration;

/**
 * The most that one stretch of work may do: it ends when so many were begun or so much time has
 * passed, whichever comes first.
 */
record WorkLimit(int count, Duration time) {
  WorkLimit {
    if (count < 1 || time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("count and time must be positive");
    }
  }
}
