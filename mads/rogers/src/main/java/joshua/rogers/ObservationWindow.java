package joshua.rogers;

import java.time.Duration;
import java.time.Instant;

/**
 * The time in which silence counts: since Rogers has been subscribed and awake, which a start,
 * every reconnect and every awakening begin anew (wire contract §2).
 */
record ObservationWindow(Instant since, PresenceThresholds thresholds) {
  /** A message of so much later than now came before the clock was put back. */
  static final Duration CLOCK_PUT_BACK = Duration.ofSeconds(5);

  /** How long somebody has been silent who was heard last at {@code lastHeard}. */
  Duration silence(Instant lastHeard, Instant now) {
    boolean counts = lastHeard.isAfter(since) && lastHeard.isBefore(now.plus(CLOCK_PUT_BACK));
    return Duration.between(counts ? lastHeard : since, now);
  }
}
