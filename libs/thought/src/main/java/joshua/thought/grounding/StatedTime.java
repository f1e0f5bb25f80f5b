package joshua.thought.grounding;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A time in a text, as exact as it is written: a date, a day of an unknown year, a time of day, or
 * a date with one. All in UTC.
 */
record StatedTime(
    Optional<LocalDate> date,
    Optional<MonthDay> day,
    Optional<LocalTime> clock,
    ChronoUnit exactness) {
  private static final String MONTHS =
      "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
          + "|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
  private static final String CLOCK =
      "(?<hour>\\d{1,2})(?::(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.\\d{1,9})?)?)?";

  /** The notations of a time, longest first. */
  static final Pattern WRITTEN =
      Pattern.compile(
          "(?<![\\w.-])(?:"
              + "(?<date>\\d{4}-\\d{2}-\\d{2})(?:[T ]"
              + CLOCK
              + ")?(?: ?(?:Z|UTC))?"
              + "|(?<clock>\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?)(?: ?(?<half>[AaPp]\\.?[Mm]\\b\\.?))?(?: ?(?:Z|UTC|o'clock))?"
              + "|(?<onlyhour>\\d{1,2}) ?(?<onlyhalf>[AaPp]\\.?[Mm]\\b\\.?)"
              + "|(?<dayfirst>\\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<monthafter>"
              + MONTHS
              + ")(?:,? (?<yearafter>\\d{4}))?"
              + "|(?<month>"
              + MONTHS
              + ") (?<dayafter>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\\d{4}))?"
              + ")(?![\\w-]|\\.\\d|:\\d)");

  /** Parses a match of {@link #WRITTEN}; empty if there is no such time. */
  static Optional<StatedTime> of(MatchResult found) {
    try {
      if (found.group("date") != null) {
        return Optional.of(dated(found));
      }
      if (found.group("clock") != null) {
        return Optional.of(clock(found.group("clock"), found.group("half")));
      }
      if (found.group("onlyhour") != null) {
        return Optional.of(clock(found.group("onlyhour") + ":00", found.group("onlyhalf")));
      }
      return Optional.of(
          found.group("month") != null
              ? day(found.group("month"), found.group("dayafter"), found.group("year"))
              : day(found.group("monthafter"), found.group("dayfirst"), found.group("yearafter")));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static StatedTime dated(MatchResult found) {
    Optional<LocalDate> date = Optional.of(LocalDate.parse(found.group("date")));
    String hour = found.group("hour");
    if (hour == null) {
      return new StatedTime(date, Optional.empty(), Optional.empty(), ChronoUnit.DAYS);
    }
    String minute = found.group("minute") == null ? "00" : found.group("minute");
    String second = found.group("second");
    LocalTime time =
        LocalTime.of(
            Integer.parseInt(hour),
            Integer.parseInt(minute),
            second == null ? 0 : Integer.parseInt(second));
    return new StatedTime(
        date,
        Optional.empty(),
        Optional.of(time),
        second == null ? ChronoUnit.MINUTES : ChronoUnit.SECONDS);
  }

  private static StatedTime clock(String written, String half) {
    String[] parts = written.split("[:.]", -1);
    int hour = Integer.parseInt(parts[0]);
    if (half != null) {
      boolean afternoon = half.toLowerCase(Locale.ROOT).startsWith("p");
      hour = hour % 12 + (afternoon ? 12 : 0);
    }
    boolean seconds = parts.length > 2;
    LocalTime time =
        LocalTime.of(hour, Integer.parseInt(parts[1]), seconds ? Integer.parseInt(parts[2]) : 0);
    return new StatedTime(
        Optional.empty(),
        Optional.empty(),
        Optional.of(time),
        seconds ? ChronoUnit.SECONDS : ChronoUnit.MINUTES);
  }

  private static StatedTime day(String month, String day, String year) {
    String first = month.substring(0, 3).toUpperCase(Locale.ROOT);
    Month named = Month.JANUARY;
    for (Month each : Month.values()) {
      named = each.name().startsWith(first) ? each : named;
    }
    MonthDay of = MonthDay.of(named, Integer.parseInt(day));
    return year == null
        ? new StatedTime(Optional.empty(), Optional.of(of), Optional.empty(), ChronoUnit.DAYS)
        : new StatedTime(
            Optional.of(of.atYear(Integer.parseInt(year))),
            Optional.empty(),
            Optional.empty(),
            ChronoUnit.DAYS);
  }

  /** Whether {@code instant} is that time, as exactly as it is written. */
  boolean is(Instant instant) {
    var at = instant.atOffset(ZoneOffset.UTC);
    return date.map(at.toLocalDate()::equals).orElse(true)
        && day.map(MonthDay.from(at)::equals).orElse(true)
        && clock.map(at.toLocalTime().truncatedTo(exactness)::equals).orElse(true);
  }
}
