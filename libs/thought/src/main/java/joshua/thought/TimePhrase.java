package joshua.thought;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.kernel.Timestamps;
import org.jspecify.annotations.Nullable;

/** Reads spans of time: "today", "in the last two hours", "since 14:30", "until 2026-01-31". */
final class TimePhrase {
  private static final Pattern CLOCK = Pattern.compile("(\\d{1,2})(?::(\\d{2}))?(am|pm)?");
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "minute", ChronoUnit.MINUTES,
          "min", ChronoUnit.MINUTES,
          "hour", ChronoUnit.HOURS,
          "day", ChronoUnit.DAYS,
          "week", ChronoUnit.WEEKS,
          "month", ChronoUnit.MONTHS);

  private static final Pattern SMALL_NUMBER = Pattern.compile("[1-9][0-9]{0,3}");
  private static final List<String> NUMBERS =
      List.of(
          "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
          "eleven", "twelve");

  private final ZonedDateTime now;

  TimePhrase(ZonedDateTime now) {
    this.now = now;
  }

  /** A small number in digits or as a word; 0 if it isn't one. */
  static int number(String word) {
    return SMALL_NUMBER.matcher(word).matches()
        ? Integer.parseInt(word)
        : Math.max(0, NUMBERS.indexOf(word));
  }

  /** The span that begins at a word, if one does. */
  Optional<Slot> at(List<String> words, int at) {
    String next = at + 1 < words.size() ? words.get(at + 1) : "";
    ZonedDateTime today = now.truncatedTo(ChronoUnit.DAYS);
    return switch (words.get(at)) {
      case "today" -> span(today, null, 1);
      case "yesterday" -> span(today.minusDays(1), today, 1);
      case "this" -> thisUnit(next, today);
      case "last", "past", "previous" -> lastUnits(words, at, next);
      case "since", "after" -> point(next).flatMap(time -> span(time, null, 2));
      case "until", "till", "before" -> point(next).flatMap(time -> span(null, time, 2));
      case "at" ->
          point(next).flatMap(time -> moment(time.isAfter(now) ? time.minusDays(1) : time, 2));
      case "between" -> between(words, at);
      case "a", "an" -> ago(words, at, 1);
      default -> ago(words, at, number(words.get(at)));
    };
  }

  private Optional<Slot> ago(List<String> words, int at, int count) {
    ChronoUnit unit = at + 1 < words.size() ? unit(words.get(at + 1)) : null;
    boolean isAgo = at + 2 < words.size() && words.get(at + 2).equals("ago");
    return count > 0 && unit != null && isAgo
        ? moment(now.minus(count, unit), 3)
        : Optional.empty();
  }

  private Optional<Slot> between(List<String> words, int at) {
    if (at + 3 >= words.size() || !words.get(at + 2).equals("and")) {
      return Optional.empty();
    }
    Optional<ZonedDateTime> since = point(words.get(at + 1));
    Optional<ZonedDateTime> until = point(words.get(at + 3));
    return since.isPresent() && until.isPresent()
        ? span(since.get(), until.get(), 4)
        : Optional.empty();
  }

  private static Optional<Slot> moment(ZonedDateTime time, int words) {
    return Optional.of(new Slot(Map.of("at", Timestamps.format(time.toInstant())), words));
  }

  private Optional<Slot> thisUnit(String unit, ZonedDateTime today) {
    return switch (unit) {
      case "morning" -> span(today, today.plusHours(12), 2);
      case "hour" -> span(now.truncatedTo(ChronoUnit.HOURS), null, 2);
      case "week" -> span(today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)), null, 2);
      case "month" -> span(today.withDayOfMonth(1), null, 2);
      default -> Optional.empty();
    };
  }

  private Optional<Slot> lastUnits(List<String> words, int at, String next) {
    ChronoUnit one = unit(next);
    if (one != null) {
      return span(now.minus(1, one), null, 2);
    }
    int count = number(next);
    ChronoUnit several = at + 2 < words.size() ? unit(words.get(at + 2)) : null;
    return count > 0 && several != null
        ? span(now.minus(count, several), null, 3)
        : Optional.empty();
  }

  private static @Nullable ChronoUnit unit(String word) {
    ChronoUnit unit = UNITS.get(word);
    return unit == null && word.endsWith("s")
        ? UNITS.get(word.substring(0, word.length() - 1))
        : unit;
  }

  private Optional<ZonedDateTime> point(String word) {
    ZonedDateTime today = now.truncatedTo(ChronoUnit.DAYS);
    return switch (word) {
      case "today", "midnight" -> Optional.of(today);
      case "yesterday" -> Optional.of(today.minusDays(1));
      case "noon" -> Optional.of(today.plusHours(12));
      default -> {
        String exact = DATE.matcher(word).matches() ? word + "T00:00:00" : word;
        Instant time = Timestamps.parse(exact.toUpperCase(Locale.ROOT));
        yield time == null ? clock(word, today) : Optional.of(time.atZone(now.getZone()));
      }
    };
  }

  private static Optional<ZonedDateTime> clock(String word, ZonedDateTime today) {
    Matcher clock = CLOCK.matcher(word);
    if (!clock.matches() || (clock.group(2) == null && clock.group(3) == null)) {
      return Optional.empty();
    }
    int hour = Integer.parseInt(clock.group(1));
    int minute = clock.group(2) == null ? 0 : Integer.parseInt(clock.group(2));
    if (clock.group(3) != null) {
      hour = hour % 12 + (clock.group(3).equals("pm") ? 12 : 0);
    }
    return hour < 24 && minute < 60
        ? Optional.of(today.with(LocalTime.of(hour, minute)))
        : Optional.empty();
  }

  private static Optional<Slot> span(
      @Nullable ZonedDateTime since, @Nullable ZonedDateTime until, int words) {
    Map<String, String> arguments = new LinkedHashMap<>();
    if (since != null) {
      arguments.put("since", Timestamps.format(since.toInstant()));
    }
    if (until != null) {
      arguments.put("until", Timestamps.format(until.toInstant()));
    }
    return Optional.of(new Slot(arguments, words));
  }
}
