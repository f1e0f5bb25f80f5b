package joshua.thought;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.kernel.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * The parser of time spans: "today", "in the last two hours", "since 14:30", "until 2026-01-31". A
 * span that begins at a future time of day begins yesterday; its end is the first such time after
 * its beginning. All are UTC.
 */
final class TimePhrase {
  /** 2pm, 2:30pm, 14:30, 14:30:15. */
  private static final DateTimeFormatter CLOCK =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern("[h[:mm[:ss]]a][H:mm[:ss]]")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "minute", ChronoUnit.MINUTES,
          "min", ChronoUnit.MINUTES,
          "hour", ChronoUnit.HOURS,
          "day", ChronoUnit.DAYS,
          "week", ChronoUnit.WEEKS,
          "month", ChronoUnit.MONTHS);

  private static final Pattern PART_OF_HOUR =
      Pattern.compile("\\w+ (half|quarter)( of)?( an)? hour\\b");

  private static final Pattern SMALL_NUMBER = Pattern.compile("[1-9][0-9]{0,3}");
  private static final List<String> NUMBERS =
      List.of(
          "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
          "eleven", "twelve");

  private static final Set<String> UNTIL = Set.of("until", "till", "before");
  private static final Set<String> TO = Set.of("to", "until", "till", "and");

  private final ZonedDateTime now;
  private final ZonedDateTime today;

  /** The arguments that a number of words stand for. */
  record Slot(Map<String, String> arguments, int words) {}

  TimePhrase(Instant now) {
    this.now = now.atZone(ZoneOffset.UTC);
    this.today = this.now.truncatedTo(ChronoUnit.DAYS);
  }

  /** The word at an index; empty out of bounds. */
  static String word(List<String> words, int at) {
    return at < 0 || at >= words.size() ? "" : words.get(at);
  }

  /** The value of a small number in digits or as a word; 0 for other words. */
  static int number(String word) {
    return SMALL_NUMBER.matcher(word).matches()
        ? Integer.parseInt(word)
        : Math.max(0, NUMBERS.indexOf(word));
  }

  /** The span that begins at a word, if there is one. */
  Optional<Slot> at(List<String> words, int at) {
    String next = word(words, at + 1);
    return switch (words.get(at)) {
      case "today" -> span(today, null, 1);
      case "yesterday" -> span(today.minusDays(1), today, 1);
      case "this" -> thisUnit(next);
      case "last", "past", "previous" -> lastUnits(words, at, next);
      case "since", "after" ->
          range(words, at, UNTIL).or(() -> past(next).flatMap(time -> span(time, null, 2)));
      case "until", "till", "before" -> point(next).flatMap(time -> span(null, time, 2));
      case "at" -> past(next).flatMap(time -> moment(time, 2));
      case "between", "from" -> range(words, at, TO);
      case "a", "an" -> ago(words, at, 1);
      default -> ago(words, at, number(words.get(at)));
    };
  }

  private Optional<Slot> ago(List<String> words, int at, int count) {
    ChronoUnit unit = unit(word(words, at + 1));
    return count > 0 && unit != null && word(words, at + 2).equals("ago")
        ? moment(now.minus(count, unit), 3)
        : Optional.empty();
  }

  private Optional<Slot> range(List<String> words, int at, Set<String> joiners) {
    String end = word(words, at + 3);
    Optional<ZonedDateTime> since = past(word(words, at + 1));
    Optional<ZonedDateTime> until = point(end);
    if (!joiners.contains(word(words, at + 2)) || since.isEmpty() || until.isEmpty()) {
      return Optional.empty();
    }
    boolean isClock = clock(end).isPresent();
    ZonedDateTime first = isClock ? since.get().with(until.get().toLocalTime()) : until.get();
    return span(since.get(), isClock && !first.isAfter(since.get()) ? first.plusDays(1) : first, 4);
  }

  /** A point in time; a future time of day is yesterday's. */
  private Optional<ZonedDateTime> past(String word) {
    boolean daily = word.equals("noon") || clock(word).isPresent();
    return point(word).map(time -> daily && time.isAfter(now) ? time.minusDays(1) : time);
  }

  private static Optional<Slot> moment(ZonedDateTime time, int words) {
    return Optional.of(new Slot(Map.of("at", Timestamps.format(time.toInstant())), words));
  }

  private Optional<Slot> thisUnit(String unit) {
    return switch (unit) {
      case "morning" -> span(today, today.plusHours(12), 2);
      case "hour" -> span(now.truncatedTo(ChronoUnit.HOURS), null, 2);
      case "week" -> span(today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)), null, 2);
      case "month" -> span(today.withDayOfMonth(1), null, 2);
      default -> Optional.empty();
    };
  }

  private Optional<Slot> lastUnits(List<String> words, int at, String next) {
    Matcher part = PART_OF_HOUR.matcher(String.join(" ", words.subList(at, words.size())));
    if (part.lookingAt()) {
      int minutes = next.equals("half") ? 30 : 15;
      return span(now.minusMinutes(minutes), null, part.group().split(" ", -1).length);
    }
    ChronoUnit one = unit(next);
    if (one != null) {
      return span(now.minus(1, one), null, 2);
    }
    ChronoUnit several = unit(word(words, at + 2));
    return number(next) > 0 && several != null
        ? span(now.minus(number(next), several), null, 3)
        : Optional.empty();
  }

  private static @Nullable ChronoUnit unit(String word) {
    ChronoUnit unit = UNITS.get(word);
    return unit == null && word.endsWith("s")
        ? UNITS.get(word.substring(0, word.length() - 1))
        : unit;
  }

  private Optional<ZonedDateTime> point(String word) {
    return switch (word) {
      case "today", "midnight" -> Optional.of(today);
      case "yesterday" -> Optional.of(today.minusDays(1));
      case "noon" -> Optional.of(today.plusHours(12));
      default -> {
        String exact = DATE.matcher(word).matches() ? word + "T00:00:00" : word;
        Instant time = Timestamps.parse(exact.toUpperCase(Locale.ROOT));
        yield time == null ? clock(word) : Optional.of(time.atZone(now.getZone()));
      }
    };
  }

  private Optional<ZonedDateTime> clock(String word) {
    try {
      return Optional.of(today.with(LocalTime.parse(word, CLOCK)));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
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
