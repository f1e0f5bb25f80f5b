package joshua.thought.reading;

import static java.time.temporal.TemporalAdjusters.firstDayOfMonth;
import static java.time.temporal.TemporalAdjusters.firstDayOfYear;
import static java.time.temporal.TemporalAdjusters.previous;
import static java.time.temporal.TemporalAdjusters.previousOrSame;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import joshua.thought.reading.QuestionToken.Kind;

/**
 * Parses one point or period of the calendar: "yesterday", "9am", "monday at noon", "an hour ago".
 */
final class TimePoints {
  /** A point, and the index of the token after it. */
  record Read(Point point, int next) {}

  /** The time that a few words name. */
  sealed interface Point {
    /** A calendar period: a day, a morning, a week. */
    record Stretch(LocalDateTime from, LocalDateTime until) implements Point {}

    /** A time of an unnamed day. */
    record Clock(LocalTime time) implements Point {}

    /** A single point in time. */
    record Moment(LocalDateTime time) implements Point {}
  }

  private final TokenizedQuestion tokenizedQuestion;
  private final LocalDateTime now;
  private final LocalDate today;
  private final ZoneId zone;

  TimePoints(TokenizedQuestion tokenizedQuestion, ZonedDateTime now) {
    this.tokenizedQuestion = tokenizedQuestion;
    this.now = now.toLocalDateTime();
    this.today = now.toLocalDate();
    this.zone = now.getZone();
  }

  /**
   * The point that begins at a token.
   *
   * @param bare whether a number alone may be an hour, as after "since"
   */
  Optional<Read> at(int index, boolean bare) {
    Optional<Read> moment = moment(index);
    if (moment.isPresent()) {
      return moment;
    }
    Optional<Read> stretch = stretch(index);
    if (stretch.isPresent()) {
      return stretch.map(each -> narrowed(each, bare));
    }
    Optional<Read> clock = clock(index, bare);
    if (clock.isEmpty()) {
      return Optional.empty();
    }
    return clock.map(this::onADay);
  }

  /** "yesterday" may continue: "yesterday at 14:00", "yesterday morning". */
  private Read narrowed(Read read, boolean bare) {
    if (!(read.point() instanceof Point.Stretch stretch) || !isADay(stretch)) {
      return read;
    }
    LocalDate day = stretch.from().toLocalDate();
    if (tokenizedQuestion.has(read.next(), "night") && day.equals(today.minusDays(1))) {
      return night(read.next() + 1);
    }
    Optional<Read> part = part(read.next(), day);
    if (part.isPresent()) {
      return part.get();
    }
    int at = tokenizedQuestion.has(read.next(), "at") ? read.next() + 1 : read.next();
    return clock(at, bare && at > read.next())
        .map(each -> new Read(moment(day, each), each.next()))
        .orElse(read);
  }

  /** "9am" may continue: "9am today", "9 this morning", "8 in the morning". */
  private Read onADay(Read clock) {
    int next = clock.next();
    if (tokenizedQuestion.has(next, "in", "the", "morning")) {
      return new Read(clock.point(), next + 3);
    }
    int day = tokenizedQuestion.has(next, "on") ? next + 1 : next;
    return stretch(day)
        .filter(each -> each.point() instanceof Point.Stretch on && withinADay(on))
        .map(each ->
            new Read(
                moment(((Point.Stretch) each.point()).from().toLocalDate(), clock), each.next()))
        .orElse(clock);
  }

  private static Point moment(LocalDate day, Read clock) {
    return new Point.Moment(day.atTime(((Point.Clock) clock.point()).time()));
  }

  private static boolean isADay(Point.Stretch stretch) {
    return stretch.until().equals(stretch.from().plusDays(1));
  }

  private static boolean withinADay(Point.Stretch stretch) {
    return !stretch.until().isAfter(stretch.from().plusDays(1));
  }

  private Optional<Read> moment(int index) {
    QuestionToken questionToken = tokenizedQuestion.at(index);
    if (questionToken.kind() != Kind.MOMENT) {
      return ago(index);
    }
    String text = questionToken.text().toUpperCase(java.util.Locale.ROOT);
    try {
      LocalDateTime time =
          text.matches(".*(Z|[+-]\\d{2}:\\d{2})")
              ? OffsetDateTime.parse(text).atZoneSameInstant(zone).toLocalDateTime()
              : LocalDateTime.parse(text);
      int next = index + 1 + (tokenizedQuestion.has(index + 1, "utc") ? 1 : 0);
      return Optional.of(new Read(new Point.Moment(time), next));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** "two hours ago": a point in time; "two days ago": a day. */
  private Optional<Read> ago(int index) {
    Optional<TimeAmount> amount = TimeAmount.at(tokenizedQuestion, index);
    if (amount.isEmpty() || !tokenizedQuestion.has(amount.get().next(), "ago")) {
      return Optional.empty();
    }
    LocalDateTime then = amount.get().before(now);
    int next = amount.get().next() + 1;
    return Optional.of(
        amount.get().unit() == ChronoUnit.DAYS
            ? new Read(days(then.toLocalDate(), 1), next)
            : new Read(new Point.Moment(then), next));
  }

  Optional<Read> clock(int index, boolean bare) {
    if (!tokenizedQuestion.isFree(index)) {
      return Optional.empty();
    }
    QuestionToken questionToken = tokenizedQuestion.at(index);
    Optional<LocalTime> named = TimeWords.namedClock(questionToken);
    if (named.isPresent()) {
      return Optional.of(new Read(new Point.Clock(named.get()), index + 1));
    }
    try {
      if (questionToken.kind() == Kind.CLOCK) {
        return halved(
            LocalTime.parse(
                questionToken.text().length() % 3 == 1
                    ? "0" + questionToken.text()
                    : questionToken.text()),
            index + 1);
      }
      if (questionToken.kind() == Kind.NUMBER && questionToken.text().matches("\\d{1,2}")) {
        return hour(Integer.parseInt(questionToken.text()), index + 1, bare);
      }
    } catch (DateTimeException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  private Optional<Read> hour(int hour, int next, boolean bare) {
    boolean said =
        isHalf(tokenizedQuestion.at(next))
            || tokenizedQuestion.has(next, "o'clock")
            || tokenizedQuestion.has(next, "h");
    if (!said && (!bare || hour < 7 || TimeWords.unit(tokenizedQuestion.at(next)).isPresent())) {
      return Optional.empty();
    }
    int behind =
        tokenizedQuestion.has(next, "o'clock") || tokenizedQuestion.has(next, "h")
            ? next + 1
            : next;
    return halved(LocalTime.of(hour, 0), behind);
  }

  private static boolean isHalf(QuestionToken questionToken) {
    return questionToken.is("am", "pm", "a.m", "p.m");
  }

  /** The time, adjusted if "am" or "pm" follows. */
  private Optional<Read> halved(LocalTime time, int next) {
    QuestionToken half = tokenizedQuestion.at(next);
    if (!isHalf(half)) {
      return Optional.of(
          new Read(new Point.Clock(time), tokenizedQuestion.has(next, "utc") ? next + 1 : next));
    }
    if (time.getHour() < 1 || time.getHour() > 12) {
      return Optional.empty();
    }
    int hour = time.getHour() % 12 + (half.is("pm", "p.m") ? 12 : 0);
    int behind = next + 1 + (half.is("a.m", "p.m") && tokenizedQuestion.has(next + 1, ".") ? 1 : 0);
    return Optional.of(new Read(new Point.Clock(time.withHour(hour)), behind));
  }

  private Optional<Read> stretch(int index) {
    int at = tokenizedQuestion.has(index, "the") ? index + 1 : index;
    if (tokenizedQuestion.has(at, "day", "before", "yesterday")) {
      return Optional.of(new Read(days(today.minusDays(2), 1), at + 3));
    }
    if (tokenizedQuestion.at(at).is("start", "beginning") && tokenizedQuestion.has(at + 1, "of")) {
      int behind = tokenizedQuestion.at(at + 2).is("the", "this") ? at + 3 : at + 2;
      return tokenizedQuestion.isFree(behind)
          ? current(tokenizedQuestion.at(behind), behind + 1)
          : Optional.empty();
    }
    if (at > index
        && (tokenizedQuestion.has(at, "day") || tokenizedQuestion.has(at, "week"))
        && index > 0
        && tokenizedQuestion.at(index - 1).is("of", "for")) {
      return current(tokenizedQuestion.at(at), at + 1);
    }
    if (!tokenizedQuestion.isFree(at)) {
      return Optional.empty();
    }
    QuestionToken questionToken = tokenizedQuestion.at(at);
    return switch (questionToken.text()) {
      case "today" -> Optional.of(new Read(days(today, 1), at + 1));
      case "yesterday" -> Optional.of(new Read(days(today.minusDays(1), 1), at + 1));
      case "this", "current" -> current(tokenizedQuestion.at(at + 1), at + 2);
      case "all" -> current(tokenizedQuestion.at(at + 1), at + 2).map(this::through);
      case "earlier" -> stretch(at + 1);
      case "overnight" -> Optional.of(night(at + 1));
      case "last", "past", "previous" -> gone(tokenizedQuestion.at(at + 1), at + 2, at > index);
      default ->
          questionToken.kind() == Kind.DATE
              ? date(questionToken, at + 1)
              : calendar(at, at > index);
    };
  }

  private Optional<Read> current(QuestionToken questionToken, int next) {
    Optional<int[]> part = TimeWords.part(questionToken);
    if (part.isPresent()) {
      return part(next - 1, today);
    }
    return switch (questionToken.text()) {
      case "day" -> Optional.of(new Read(days(today, 1), next));
      case "week" -> Optional.of(new Read(days(monday(), 7), next));
      case "month" -> Optional.of(new Read(months(today.with(firstDayOfMonth())), next));
      case "year" -> {
        LocalDate from = today.with(firstDayOfYear());
        yield Optional.of(
            new Read(
                new Point.Stretch(from.atStartOfDay(), from.plusYears(1).atStartOfDay()), next));
      }
      case "hour" -> {
        LocalDateTime from = now.truncatedTo(ChronoUnit.HOURS);
        yield Optional.of(new Read(new Point.Stretch(from, from.plusHours(1)), next));
      }
      default -> weekday(questionToken).map(day -> new Read(days(monday().with(day), 1), next));
    };
  }

  /** "last week" is the week before this one; "the last week" is seven days, parsed elsewhere. */
  private Optional<Read> gone(QuestionToken questionToken, int next, boolean article) {
    if (questionToken.is("night")) {
      return Optional.of(night(next));
    }
    if (questionToken.is("day")) {
      return Optional.of(new Read(days(today.minusDays(1), 1), next));
    }
    if (questionToken.is("week") && !article) {
      return Optional.of(new Read(days(monday().minusWeeks(1), 7), next));
    }
    if (questionToken.is("month") && !article) {
      return Optional.of(new Read(months(today.with(firstDayOfMonth()).minusMonths(1)), next));
    }
    if (questionToken.is("weekend")) {
      return Optional.of(new Read(days(monday().minusDays(2), 2), next));
    }
    return weekday(questionToken).map(day -> new Read(days(today.with(previous(day)), 1), next));
  }

  /** From evening to morning: the current night, or the last. */
  private Read night(int next) {
    LocalDateTime from = today.minusDays(1).atTime(18, 0);
    return new Read(new Point.Stretch(from, today.atTime(6, 0)), next);
  }

  /** "all week" may continue: "all week long". */
  private Read through(Read read) {
    return tokenizedQuestion.has(read.next(), "long")
        ? new Read(read.point(), read.next() + 1)
        : read;
  }

  private Optional<DayOfWeek> weekday(QuestionToken questionToken) {
    return questionToken.text().endsWith("day") || questionToken.text().endsWith("days")
        ? TimeWords.weekday(questionToken)
        : Optional.empty();
  }

  /** "monday", "the weekend", "november 16", "16 november", "the 16th", "in november". */
  private Optional<Read> calendar(int at, boolean article) {
    QuestionToken questionToken = tokenizedQuestion.at(at);
    if (article && questionToken.is("weekend")) {
      return Optional.of(new Read(days(monday().minusDays(2), 2), at + 1));
    }
    Optional<DayOfWeek> weekday = weekday(questionToken);
    if (weekday.isPresent()) {
      return Optional.of(new Read(days(today.with(previousOrSame(weekday.get())), 1), at + 1));
    }
    Optional<Month> month = TimeWords.month(questionToken);
    OptionalInt behind = TimeWords.number(tokenizedQuestion.at(at + 1));
    if (month.isPresent() && behind.isPresent()) {
      return day(month.get(), behind.getAsInt(), ordinal(at + 2));
    }
    if (month.isPresent() && index(at - 1, "in", "since", "during")) {
      LocalDate first = today.withDayOfMonth(1).withMonth(month.get().getValue());
      return Optional.of(
          new Read(months(first.isAfter(today) ? first.minusYears(1) : first), at + 1));
    }
    OptionalInt number = TimeWords.number(questionToken);
    if (number.isEmpty() || questionToken.kind() != Kind.NUMBER) {
      return Optional.empty();
    }
    int next = ordinal(at + 1);
    int of = tokenizedQuestion.has(next, "of") ? next + 1 : next;
    Optional<Month> named = TimeWords.month(tokenizedQuestion.at(of));
    if (named.isPresent()) {
      return day(named.get(), number.getAsInt(), of + 1);
    }
    if (!article || next == at + 1) {
      return Optional.empty();
    }
    LocalDate month0 = number.getAsInt() <= today.getDayOfMonth() ? today : today.minusMonths(1);
    return day(month0.getMonth(), number.getAsInt(), next);
  }

  private boolean index(int at, String... words) {
    return tokenizedQuestion.isFree(at) && tokenizedQuestion.at(at).is(words);
  }

  private int ordinal(int at) {
    return tokenizedQuestion.isFree(at) && tokenizedQuestion.at(at).is("st", "nd", "rd", "th")
        ? at + 1
        : at;
  }

  private Optional<Read> day(Month month, int number, int next) {
    try {
      LocalDate day = LocalDate.of(today.getYear(), month, number);
      return Optional.of(new Read(days(day.isAfter(today) ? day.minusYears(1) : day, 1), next));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private Optional<Read> date(QuestionToken questionToken, int next) {
    try {
      return Optional.of(new Read(days(LocalDate.parse(questionToken.text()), 1), next));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private Optional<Read> part(int at, LocalDate day) {
    return !tokenizedQuestion.isFree(at)
        ? Optional.empty()
        : TimeWords.part(tokenizedQuestion.at(at))
            .map(hours ->
                new Read(
                    new Point.Stretch(
                        day.atTime(hours[0], 0), day.atStartOfDay().plusHours(hours[1])),
                    at + 1));
  }

  private LocalDate monday() {
    return today.with(previousOrSame(DayOfWeek.MONDAY));
  }

  private static Point days(LocalDate from, int many) {
    return new Point.Stretch(from.atStartOfDay(), from.plusDays(many).atStartOfDay());
  }

  private static Point months(LocalDate first) {
    return new Point.Stretch(first.atStartOfDay(), first.plusMonths(1).atStartOfDay());
  }
}
