package joshua.thought.reading;

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
  private static final Map<String, String> NUMBERS = RuleWords.values("number");
  private static final Map<String, String> UNITS = RuleWords.values("unit");
  private static final Map<String, String> NAMED_CLOCKS = RuleWords.values("clock");

  /** The named parts of a day: from this hour to that. */
  private static final Map<String, int[]> PARTS =
      Map.of(
          "morning", new int[] {6, 12},
          "afternoon", new int[] {12, 18},
          "evening", new int[] {18, 24});

  private static final Set<String> TELLING = RuleWords.list("about time");

  private TimeWords() {}

  static OptionalInt number(QuestionToken questionToken) {
    if (questionToken.kind() == Kind.NUMBER
        && questionToken.text().length() <= 6
        && !questionToken.text().contains(".")) {
      return OptionalInt.of(Integer.parseInt(questionToken.text()));
    }
    String named = NUMBERS.get(questionToken.text());
    return named == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(named));
  }

  static Optional<ChronoUnit> unit(QuestionToken questionToken) {
    return Optional.ofNullable(UNITS.get(questionToken.text())).map(ChronoUnit::valueOf);
  }

  static Optional<LocalTime> namedClock(QuestionToken questionToken) {
    return Optional.ofNullable(NAMED_CLOCKS.get(questionToken.text())).map(LocalTime::parse);
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
