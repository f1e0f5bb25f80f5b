package joshua.rogers.presence;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock that measures silence, counting only time in which Rogers is subscribed and awake.
 *
 * @param since the beginning of the time that counts
 * @param subscribedSince the beginning of the subscription, since when relays name their clients
 */
record SilenceClock(
    Instant now, Instant since, Instant subscribedSince, Registry.Thresholds thresholds) {
  /** Times further ahead of now stem from before the clock was set back. */
  static final Duration MAX_SKEW = Duration.ofSeconds(5);

  /** The silence of a participant that was last heard then. */
  Duration silence(Instant lastHeard) {
    return Duration.between(covers(lastHeard) ? lastHeard : since, now);
  }

  boolean covers(Instant lastHeard) {
    return !lastHeard.isBefore(since) && lastHeard.isBefore(now.plus(MAX_SKEW));
  }

  boolean isStale(Instant lastHeard) {
    return silence(lastHeard).compareTo(thresholds.staleAfter()) > 0;
  }

  boolean isGone(Instant lastHeard) {
    return silence(lastHeard).compareTo(thresholds.disconnectedAfter()) > 0;
  }

  /** Whether a relay has had time to name its clients, and hasn't named one last heard then. */
  boolean isUnnamed(Instant lastHeard) {
    return lastHeard.isBefore(subscribedSince)
        && Duration.between(subscribedSince, now).compareTo(thresholds.staleAfter()) > 0;
  }
}
