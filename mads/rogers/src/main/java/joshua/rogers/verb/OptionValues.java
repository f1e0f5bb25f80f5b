package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.ssh.VerbFailedException;
import org.jspecify.annotations.Nullable;

/** Parses option values, or reports the rule that a value breaks. */
final class OptionValues {
  /** How a moment may be written, for the help of options. */
  static final String MOMENT = "14:05 (UTC, today or yesterday), -10m, or an instant";

  private static final String MOMENT_RULE =
      "must be a time of day in UTC (14:05), so long ago (-90s, -10m, -2h, -1d), or an instant"
          + " (2026-11-18T14:05:00Z)";

  private static final Pattern OF_DAY = Pattern.compile("\\d{2}:\\d{2}(?::\\d{2})?");
  private static final Pattern AGO = Pattern.compile("-(\\d{1,6})([smhd])");
  private static final Map<String, Duration> UNITS =
      Map.of(
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  private OptionValues() {}

  /** A number in the range that an option allows. */
  static int number(String option, int given, int least, int most) throws VerbFailedException {
    if (given < least || given > most) {
      throw VerbFailedException.misuse("%s must be %d to %d".formatted(option, least, most));
    }
    return given;
  }

  /**
   * The moment that is meant. A time of day is its most recent occurrence; an age leads to a whole
   * second.
   */
  static Instant moment(String option, String given, Instant now) throws VerbFailedException {
    try {
      Matcher ago = AGO.matcher(given);
      if (ago.matches()) {
        Duration unit = UNITS.getOrDefault(ago.group(2), Duration.ZERO);
        Instant moment = now.minus(unit.multipliedBy(Long.parseLong(ago.group(1))));
        return moment.truncatedTo(ChronoUnit.SECONDS);
      }
      if (OF_DAY.matcher(given).matches()) {
        Instant today =
            now.atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .atTime(LocalTime.parse(given))
                .toInstant(ZoneOffset.UTC);
        return today.isAfter(now) ? today.minus(Duration.ofDays(1)) : today;
      }
      return Instant.parse(given);
    } catch (DateTimeException e) {
      throw VerbFailedException.misuse(option + " " + MOMENT_RULE);
    }
  }

  /** Sets an argument of a query to a moment, if the option was given. */
  static void put(
      ObjectNode arguments, String name, String option, @Nullable String given, Instant now)
      throws VerbFailedException {
    if (given != null) {
      arguments.put(name, moment(option, given, now).toString());
    }
  }
}
