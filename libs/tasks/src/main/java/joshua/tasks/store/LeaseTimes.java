package joshua.tasks.store;

import java.time.Duration;
import java.time.Instant;

/** The duration of leases (wire contract §4). */
public final class LeaseTimes {
  public static final Duration LASTS = Duration.ofSeconds(10);
  public static final Duration RENEWED_EVERY = Duration.ofSeconds(3);

  private LeaseTimes() {}

  public static Instant until(Instant now) {
    return now.plus(LASTS);
  }
}
