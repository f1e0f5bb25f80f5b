package joshua.rogers.presence;

import java.time.Duration;
import java.time.Instant;

/**
 * The time in which silence counts: while Rogers is subscribed, and awake.
 *
 * @param since silence counts from then on
 * @param subscribedSince relays have named their clients since then
 */
record Observation(
    Instant now, Instant since, Instant subscribedSince, Registry.Thresholds thresholds) {
  /** A time this much later than now is of before the clock was set back. */
  static final Duration SET_BACK = Duration.ofSeconds(5);

  /** How long somebody has been silent that was last heard then. */
  Duration silence(Instant lastHeard) {
    return Duration.between(counts(lastHeard) ? lastHeard : since, now);
  }

  boolean counts(Instant lastHeard) {
    return !lastHeard.isBefore(since) && lastHeard.isBefore(now.plus(SET_BACK));
  }

  boolean isStale(Instant lastHeard) {
    return silence(lastHeard).compareTo(thresholds.staleAfter()) > 0;
  }

  boolean isGone(Instant lastHeard) {
    return silence(lastHeard).compareTo(thresholds.disconnectedAfter()) > 0;
  }

  /** Whether a relay has had time to name its clients, and hasn't named one heard last then. */
  boolean isUnnamed(Instant lastHeard) {
    return lastHeard.isBefore(subscribedSince)
        && Duration.between(subscribedSince, now).compareTo(thresholds.staleAfter()) > 0;
  }
}
