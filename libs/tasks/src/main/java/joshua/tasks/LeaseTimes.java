package joshua.tasks;

import java.time.Duration;
import java.time.Instant;

/** The duration of leases (wire contract §4). */
final class LeaseTimes {
  static final Duration LASTS = Duration.ofSeconds(10);
  static final Duration RENEWED_EVERY = Duration.ofSeconds(3);

  private LeaseTimes() {}

  static Instant until(Instant now) {
    return now.plus(LASTS);
  }
}
