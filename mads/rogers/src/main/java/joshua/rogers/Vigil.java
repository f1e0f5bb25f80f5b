package joshua.rogers;

import java.time.Duration;
import java.time.Instant;

/**
 * The time in which silence counts: since Rogers has been subscribed and awake, which a start,
 * every reconnect and every awakening begin anew (wire contract §2).
 */
record Vigil(Instant since, Thresholds thresholds) {

  /** How long somebody has been silent who was heard last at {@code lastHeard}. */
  Duration silence(Instant lastHeard, Instant now) {
    return Duration.between(lastHeard.isAfter(since) ? lastHeard : since, now);
  }
}
