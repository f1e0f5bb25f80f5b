package joshua.rogers.tap;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A span in which Rogers wasn't watching, or didn't store what it saw: messages published then may
 * be missing.
 *
 * @param until empty while it lasts
 * @param missed how many messages, where that can be known
 */
public record UnwatchedSpan(
    Instant since, Optional<Instant> until, String reason, OptionalLong missed)
    implements FlushItem {
  public static final String NOT_RUNNING = "rogers was not running";
  public static final String BUS_AWAY = "the bus was away";
  public static final String NOT_WRITTEN = "the database could not be written";
  public static final String NOT_KEPT = "older than what is kept";

  @Override
  public int counts() {
    return 1;
  }

  public static UnwatchedSpan from(Instant since, String reason) {
    return new UnwatchedSpan(since, Optional.empty(), reason, OptionalLong.empty());
  }

  public UnwatchedSpan until(Instant end) {
    return new UnwatchedSpan(since, Optional.of(end), reason, missed);
  }

  /** One span that covers both, which have ended; if the bus was away, that is the reason kept. */
  public UnwatchedSpan and(UnwatchedSpan later) {
    return new UnwatchedSpan(
        since.isBefore(later.since) ? since : later.since,
        until.flatMap(end -> later.until.map(other -> end.isAfter(other) ? end : other)),
        later.reason.equals(BUS_AWAY) ? BUS_AWAY : reason,
        missed.isPresent() && later.missed.isPresent()
            ? OptionalLong.of(missed.getAsLong() + later.missed.getAsLong())
            : OptionalLong.empty());
  }
}
