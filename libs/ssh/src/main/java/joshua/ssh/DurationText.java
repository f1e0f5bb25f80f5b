package joshua.ssh;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** A duration in words, as people say it. */
public final class DurationText {
  private static final Duration TWO_MINUTES = Duration.ofMinutes(2);
  private static final Duration TWO_HOURS = Duration.ofHours(2);
  private static final Duration TWO_DAYS = Duration.ofDays(2);

  private DurationText() {}

  /** "4 s", "3 min", "5 h", "2 d". */
  public static String of(Instant since, Instant now) {
    Duration age = Duration.between(since, now);
    if (age.compareTo(TWO_MINUTES) < 0) {
      return Math.max(0, age.toSeconds()) + " s";
    }
    if (age.compareTo(TWO_HOURS) < 0) {
      return age.toMinutes() + " min";
    }
    return age.compareTo(TWO_DAYS) < 0 ? age.toHours() + " h" : age.toDays() + " d";
  }

  /** The same for an instant from JSON; "?" if it can't be parsed. */
  public static String of(String since, Instant now) {
    try {
      return of(Instant.parse(since), now);
    } catch (DateTimeException e) {
      return "?";
    }
  }
}
