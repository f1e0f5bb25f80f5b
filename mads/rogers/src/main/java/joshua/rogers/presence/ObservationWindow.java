package joshua.rogers.presence;

import java.time.Duration;
import java.time.Instant;

/**
 * The time in which silence counts: since Rogers has been subscribed and awake. It restarts when
 * Rogers starts, reconnects or wakes up (wire contract §2).
 */
record ObservationWindow(Instant since, PresenceThresholds thresholds) {
  /** A message this much later than now was received before the clock was set back. */
  static final Duration CLOCK_PUT_BACK = Duration.ofSeconds(5);

  /** How long a participant last heard at {@code lastHeard} has been silent. */
  Duration silence(Instant lastHeard, Instant now) {
    boolean counts = lastHeard.isAfter(since) && lastHeard.isBefore(now.plus(CLOCK_PUT_BACK));
    return Duration.between(counts ? lastHeard : since, now);
  }
}
