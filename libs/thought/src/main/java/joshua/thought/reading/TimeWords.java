package joshua.thought.reading;

import static java.util.Map.entry;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import joshua.thought.reading.QuestionToken.Kind;

/** The vocabulary of time expressions. */
final class TimeWords {
  private static final Map<String, Integer> NUMBERS =
      Map.ofEntries(
          entry("two", 2),
          entry("three", 3),
          entry("four", 4),
          entry("five", 5),
          entry("six", 6),
          entry("seven", 7),
          entry("eight", 8),
          entry("nine", 9),
          entry("ten", 10),
          entry("eleven", 11),
          entry("twelve", 12),
          entry("fifteen", 15),
          entry("twenty", 20),
          entry("thirty", 30),
          entry("forty", 40),
          entry("fifty", 50),
          entry("sixty", 60),
          entry("ninety", 90),
          entry("hundred", 100));

  private static final Map<String, ChronoUnit> UNITS =
      Map.ofEntries(
          entry("s", ChronoUnit.SECONDS),
          entry("sec", ChronoUnit.SECONDS),
          entry("secs", ChronoUnit.SECONDS),
          entry("second", ChronoUnit.SECONDS),
          entry("seconds", ChronoUnit.SECONDS),
          entry("m", ChronoUnit.MINUTES),
          entry("min", ChronoUnit.MINUTES),
          entry("mins", ChronoUnit.MINUTES),
          entry("minute", ChronoUnit.MINUTES),
          entry("minutes", ChronoUnit.MINUTES),
          entry("h", ChronoUnit.HOURS),
          entry("hr", ChronoUnit.HOURS),
          entry("hrs", ChronoUnit.HOURS),
          entry("hour", ChronoUnit.HOURS),
          entry("hours", ChronoUnit.HOURS),
          entry("d", ChronoUnit.DAYS),
          entry("day", ChronoUnit.DAYS),
          entry("days", ChronoUnit.DAYS),
          entry("w", ChronoUnit.WEEKS),
          entry("week", ChronoUnit.WEEKS),
          entry("weeks", ChronoUnit.WEEKS),
          entry("month", ChronoUnit.MONTHS),
          entry("months", ChronoUnit.MONTHS),
          entry("year", ChronoUnit.YEARS),
          entry("years", ChronoUnit.YEARS));

  private static final Map<String, LocalTime> NAMED_CLOCKS =
      Map.of(
          "noon", LocalTime.NOON,
          "midday", LocalTime.NOON,
          "lunchtime", LocalTime.NOON,
          "lunch", LocalTime.NOON,
          "midnight", LocalTime.MIDNIGHT);

  /** The named parts of a day: from this hour to that. */
  private static final Map<String, int[]> PARTS =
      Map.of(
          "morning", new int[] {6, 12},
          "afternoon", new int[] {12, 18},
          "evening", new int[] {18, 24});

  /** Words about time; if no rule claims one, the question is unreadable. */
  private static final Set<String> TELLING =
      Set.of(
          "today",
          "yesterday",
          "tomorrow",
          "tonight",
          "morning",
          "afternoon",
          "evening",
          "night",
          "overnight",
          "noon",
          "midday",
          "midnight",
          "week",
          "weeks",
          "weekend",
          "month",
          "months",
          "year",
          "years",
          "ago",
          "older",
          "newer",
          "fortnight",
          "minutes",
          "lunch",
          "lunchtime",
          "earlier",
          "later",
          "o'clock",
          "decade");

  private TimeWords() {}

  static OptionalInt number(QuestionToken questionToken) {
    if (questionToken.kind() == Kind.NUMBER
        && questionToken.text().length() <= 6
        && !questionToken.text().contains(".")) {
      return OptionalInt.of(Integer.parseInt(questionToken.text()));
    }
    Integer named = NUMBERS.get(questionToken.text());
    return named == null ? OptionalInt.empty() : OptionalInt.of(named);
  }

  static Optional<ChronoUnit> unit(QuestionToken questionToken) {
    return Optional.ofNullable(UNITS.get(questionToken.text()));
  }

  static Optional<LocalTime> namedClock(QuestionToken questionToken) {
    return Optional.ofNullable(NAMED_CLOCKS.get(questionToken.text()));
  }

  static Optional<int[]> part(QuestionToken questionToken) {
    return Optional.ofNullable(PARTS.get(questionToken.text())).map(int[]::clone);
  }

  static Optional<DayOfWeek> weekday(QuestionToken questionToken) {
    return named(DayOfWeek.values(), questionToken);
  }

  static Optional<Month> month(QuestionToken questionToken) {
    return named(Month.values(), questionToken);
  }

  private static <E extends Enum<E>> Optional<E> named(E[] all, QuestionToken questionToken) {
    String upper = questionToken.text().toUpperCase(java.util.Locale.ROOT);
    for (E each : all) {
      String name = each.name();
      boolean shortened = upper.length() >= 3 && upper.length() <= 4 && name.startsWith(upper);
      if (name.equals(upper) || name.equals(upper.replaceAll("S$", "")) || shortened) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  static boolean tells(QuestionToken questionToken) {
    return switch (questionToken.kind()) {
      case CLOCK, DATE, MOMENT -> true;
      case WORD ->
          TELLING.contains(questionToken.text())
              || (weekday(questionToken).isPresent() && questionToken.text().endsWith("day"));
      case NUMBER, ID, QUOTED, MARK -> false;
    };
  }
}
