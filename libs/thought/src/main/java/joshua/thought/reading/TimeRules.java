package joshua.thought.reading;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.thought.reading.TimePoints.Point;
import joshua.thought.reading.TimePoints.Read;
import joshua.thought.reading.TokenizedQuestion.Slot;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the time in a question: "since noon", "last 10 minutes", "yesterday between 13:00 and
 * 14:00". A period that isn't over has no end; one in the future, or a time that these rules don't
 * know, is unreadable.
 */
final class TimeRules {
  /** The result. */
  sealed interface Taken {
    /** No time is named. */
    record Nothing() implements Taken {}

    /** A period. */
    record Spoken(TimeSpan span) implements Taken {}

    /** A single point in time: "at 14:05". */
    record Once(Instant moment) implements Taken {}

    /** Two times: "this morning than yesterday". */
    record Two(TimeSpan first, TimeSpan second) implements Taken {}

    /** A time is named, but not understood. */
    record Unreadable() implements Taken {}
  }

  /** A part of a time expression. */
  private sealed interface Piece {
    record Stretch(LocalDateTime from, LocalDateTime until) implements Piece {}

    record Hours(@Nullable LocalTime from, @Nullable LocalTime until) implements Piece {}

    record Bounds(@Nullable LocalDateTime from, @Nullable LocalDateTime until) implements Piece {}

    record Once(LocalDateTime moment) implements Piece {}
  }

  private record Found(Piece piece, int next) {}

  private final TokenizedQuestion tokenizedQuestion;
  private final ZonedDateTime zoned;
  private final LocalDateTime now;
  private final TimePoints points;

  private TimeRules(TokenizedQuestion tokenizedQuestion, ZonedDateTime now) {
    this.tokenizedQuestion = tokenizedQuestion;
    this.zoned = now;
    this.now = now.toLocalDateTime();
    this.points = new TimePoints(tokenizedQuestion, now);
  }

  static Taken take(TokenizedQuestion tokenizedQuestion, ZonedDateTime now) {
    return new TimeRules(tokenizedQuestion, now).take();
  }

  private Taken take() {
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      Optional<Found> found = tokenizedQuestion.isFree(i) ? piece(i) : Optional.empty();
      if (found.isPresent()) {
        pieces.add(found.get().piece());
        tokenizedQuestion.take(i, found.get().next(), Slot.TIME);
        i = found.get().next() - 1;
      }
    }
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      if (tokenizedQuestion.isFree(i)
          && (tells(i) || isOpenSince(i) || isVague(i) || isNoDate(i))) {
        return new Taken.Unreadable();
      }
    }
    return switch (pieces.size()) {
      case 0 -> new Taken.Nothing();
      case 1 -> span(pieces.getFirst(), null);
      case 2 -> together(pieces.get(0), pieces.get(1));
      default -> new Taken.Unreadable();
    };
  }

  /** "since" followed by something that isn't a time, except "since when". */
  private boolean isOpenSince(int index) {
    return tokenizedQuestion.has(index, "since") && !tokenizedQuestion.at(index + 1).is("when");
  }

  /** "a few hours", "several days": the number is unknown. */
  private boolean isVague(int index) {
    return tokenizedQuestion.at(index).is("few", "several", "some", "many")
        && TimeWords.unit(tokenizedQuestion.at(index + 1)).isPresent();
  }

  /** "how long ago" and "which minutes" ask for a time but don't name one. */
  private boolean tells(int index) {
    boolean asked =
        tokenizedQuestion.at(index).is("minutes")
            && tokenizedQuestion.at(index - 1).is("which", "what", "were");
    return TimeWords.tells(tokenizedQuestion.at(index))
        && !asked
        && !tokenizedQuestion.has(index - 2, "how", "long", "ago");
  }

  /** A date that doesn't exist: "31 february", "november 31st", "the 42nd". */
  private boolean isNoDate(int index) {
    if (TimeWords.month(tokenizedQuestion.at(index)).isPresent()) {
      int of = tokenizedQuestion.at(index - 1).is("of") ? index - 1 : index;
      int number = isOrdinalEnd(of - 1) ? of - 2 : of - 1;
      return TimeWords.number(tokenizedQuestion.at(index + 1)).isPresent()
          || tokenizedQuestion.at(number).kind() == QuestionToken.Kind.NUMBER;
    }
    return tokenizedQuestion.at(index).kind() == QuestionToken.Kind.NUMBER
        && isOrdinalEnd(index + 1)
        && !tokenizedQuestion.at(index + 2).is("percentile", "percentiles");
  }

  private boolean isOrdinalEnd(int index) {
    return tokenizedQuestion.at(index).is("st", "nd", "rd", "th");
  }

  private Taken together(Piece first, Piece second) {
    if (first instanceof Piece.Stretch day && second instanceof Piece.Hours) {
      return span(second, day);
    }
    if (second instanceof Piece.Stretch day && first instanceof Piece.Hours) {
      return span(first, day);
    }
    Optional<TimeSpan> one = whole(span(first, null));
    Optional<TimeSpan> other = whole(span(second, null));
    return one.isPresent() && other.isPresent()
        ? new Taken.Two(one.get(), other.get())
        : new Taken.Unreadable();
  }

  /** Expands a point in time to its hour. */
  private static Optional<TimeSpan> whole(Taken taken) {
    return switch (taken) {
      case Taken.Spoken spoken -> Optional.of(spoken.span());
      case Taken.Once once -> Optional.of(TimeSpan.hourOf(once.moment()));
      case Taken.Nothing _, Taken.Two _, Taken.Unreadable _ -> Optional.empty();
    };
  }

  private Taken span(Piece piece, Piece.@Nullable Stretch day) {
    return switch (piece) {
      case Piece.Stretch stretch -> bounded(stretch.from(), stretch.until());
      case Piece.Bounds bounds -> bounded(bounds.from(), bounds.until());
      case Piece.Once once ->
          once.moment().isAfter(now)
              ? new Taken.Unreadable()
              : new Taken.Once(once.moment().atZone(zoned.getZone()).toInstant());
      case Piece.Hours hours -> {
        if (day != null && !day.until().equals(day.from().plusDays(1))) {
          yield new Taken.Unreadable();
        }
        yield day == null ? lately(hours) : within(hours, day);
      }
    };
  }

  /** These hours of the named day. */
  private Taken within(Piece.Hours hours, Piece.Stretch day) {
    LocalDateTime from = hours.from() == null ? day.from() : day.from().with(hours.from());
    LocalDateTime until = hours.until() == null ? day.until() : day.from().with(hours.until());
    return from.isBefore(until) ? bounded(from, until) : new Taken.Unreadable();
  }

  /** These hours of today, or, if in the future, of yesterday. */
  private Taken lately(Piece.Hours hours) {
    LocalDateTime midnight = now.toLocalDate().atStartOfDay();
    LocalDateTime from = hours.from() == null ? null : midnight.with(hours.from());
    LocalDateTime until = hours.until() == null ? null : midnight.with(hours.until());
    if (from == null) {
      return until != null && until.isAfter(now) ? new Taken.Unreadable() : bounded(null, until);
    }
    if (until != null && !from.isBefore(until)) {
      until = until.plusDays(1);
    }
    if (from.isAfter(now) || (until != null && until.isAfter(now.plusHours(12)))) {
      from = from.minusDays(1);
      until = until == null ? null : until.minusDays(1);
    }
    return bounded(from, until);
  }

  private Taken bounded(@Nullable LocalDateTime from, @Nullable LocalDateTime until) {
    LocalDateTime end = until == null || until.isAfter(now) ? null : until;
    boolean ahead = from != null && from.isAfter(now);
    boolean reversed = from != null && end != null && !from.isBefore(end);
    if (ahead || reversed || (from == null && end == null)) {
      return new Taken.Unreadable();
    }
    return new Taken.Spoken(
        new TimeSpan(
            Optional.ofNullable(from).map(each -> each.atZone(zoned.getZone()).toInstant()),
            Optional.ofNullable(end).map(each -> each.atZone(zoned.getZone()).toInstant())));
  }

  private Optional<Found> piece(int index) {
    return switch (tokenizedQuestion.at(index).text()) {
      case "between" -> range(index + 1, "and");
      case "from" -> range(index + 1, "to", "until", "till", "-").or(() -> plain(index));
      case "since", "after" -> since(index);
      case "starting" ->
          tokenizedQuestion.has(index + 1, "from") || tokenizedQuestion.has(index + 1, "at")
              ? since(index + 1)
              : Optional.empty();
      case "newer", "younger" ->
          tokenizedQuestion.has(index + 1, "than") ? age(index + 2, true) : Optional.empty();
      case "older" ->
          tokenizedQuestion.has(index + 1, "than") ? age(index + 2, false) : Optional.empty();
      case "before", "until", "till" -> until(index);
      case "at", "around", "about" -> once(index + 1, true).or(() -> plain(index));
      case "as" ->
          tokenizedQuestion.has(index + 1, "of")
              ? once(index + 2, true).or(() -> plain(index))
              : plain(index);
      default -> plain(index);
    };
  }

  private Optional<Found> plain(int index) {
    int at = index;
    if (tokenizedQuestion
        .at(at)
        .is("in", "within", "during", "over", "for", "of", "from", "on", "through")) {
      at++;
    }
    int begin = at;
    Optional<Found> recent = recent(begin);
    if (recent.isPresent()) {
      return recent;
    }
    Optional<Found> range = range(begin, "-", "–", "to", "until");
    if (range.isPresent()) {
      return range;
    }
    Optional<Found> stretch =
        points
            .at(begin, false)
            .filter(each -> each.point() instanceof Point.Stretch)
            .map(each -> {
              Point.Stretch on = (Point.Stretch) each.point();
              return new Found(new Piece.Stretch(on.from(), on.until()), each.next());
            });
    if (stretch.isPresent()) {
      // "yesterday at 10"
      return tokenizedQuestion.has(stretch.get().next(), "at")
          ? once(begin, true).or(() -> stretch)
          : stretch;
    }
    return at > index && !tokenizedQuestion.has(index, "on") ? stretch : once(begin, false);
  }

  /** "14:05", "an hour ago": a point in time; a time of day in the future is yesterday's. */
  private Optional<Found> once(int index, boolean bare) {
    return points
        .at(index, bare)
        .flatMap(each ->
            switch (each.point()) {
              case Point.Stretch stretch -> Optional.empty();
              case Point.Moment moment ->
                  Optional.of(new Found(new Piece.Once(moment.time()), each.next()));
              case Point.Clock clock -> {
                LocalDateTime then = now.toLocalDate().atTime(clock.time());
                yield Optional.of(
                    new Found(
                        new Piece.Once(then.isAfter(now) ? then.minusDays(1) : then), each.next()));
              }
            });
  }

  /** "the last 10 minutes"; not "last week", which is a calendar week. */
  private Optional<Found> recent(int index) {
    int at =
        tokenizedQuestion.has(index, "the") || tokenizedQuestion.has(index, "these")
            ? index + 1
            : index;
    if (!tokenizedQuestion.isFree(at)
        || !tokenizedQuestion.at(at).is("last", "past", "previous", "recent")
        || (tokenizedQuestion.at(at).is("previous") && tokenizedQuestion.has(at + 1, "day"))) {
      return Optional.empty();
    }
    boolean article = at > index;
    boolean counted =
        tokenizedQuestion.at(at + 1).kind() == QuestionToken.Kind.NUMBER
            || TimeWords.number(tokenizedQuestion.at(at + 1)).isPresent();
    boolean rolling = article || counted || tokenizedQuestion.at(at).is("past");
    return TimeAmount.at(tokenizedQuestion, at + 1)
        .filter(timeAmount -> rolling || !tokenizedQuestion.at(at + 1).is("week", "month", "year"))
        .map(timeAmount ->
            new Found(new Piece.Bounds(timeAmount.before(now), null), timeAmount.next()));
  }

  private Optional<Found> age(int index, boolean younger) {
    return TimeAmount.at(tokenizedQuestion, index)
        .map(timeAmount -> {
          LocalDateTime then = timeAmount.before(now);
          return new Found(
              younger ? new Piece.Bounds(then, null) : new Piece.Bounds(null, then),
              timeAmount.next());
        });
  }

  private Optional<Found> range(int index, String... joints) {
    Optional<Read> first = points.at(index, true);
    if (first.isEmpty()
        || !tokenizedQuestion.isFree(first.get().next())
        || !tokenizedQuestion.at(first.get().next()).is(joints)) {
      return Optional.empty();
    }
    return points
        .at(first.get().next() + 1, true)
        .flatMap(second -> range(first.get().point(), second.point(), second.next()));
  }

  private static Optional<Found> range(Point from, Point until, int next) {
    if (from instanceof Point.Clock begin && until instanceof Point.Clock end) {
      return Optional.of(new Found(new Piece.Hours(begin.time(), end.time()), next));
    }
    if (from instanceof Point.Clock begin && until instanceof Point.Moment end) {
      return Optional.of(
          new Found(new Piece.Bounds(end.time().with(begin.time()), end.time()), next));
    }
    if (from instanceof Point.Moment begin && until instanceof Point.Clock end) {
      return Optional.of(
          new Found(new Piece.Bounds(begin.time(), begin.time().with(end.time())), next));
    }
    if (from instanceof Point.Moment begin && until instanceof Point.Moment end) {
      return Optional.of(new Found(new Piece.Bounds(begin.time(), end.time()), next));
    }
    return Optional.empty();
  }

  private Optional<Found> since(int index) {
    boolean after = tokenizedQuestion.at(index).is("after");
    Optional<Found> recent =
        after
            ? Optional.empty()
            : recent(index + 1).filter(each -> each.piece() instanceof Piece.Bounds);
    if (recent.isPresent()) {
      return recent;
    }
    return points
        .at(index + 1, true)
        .map(each -> {
          Piece piece =
              switch (each.point()) {
                case Point.Stretch stretch ->
                    new Piece.Bounds(after ? stretch.until() : stretch.from(), null);
                case Point.Clock clock -> new Piece.Hours(clock.time(), null);
                case Point.Moment moment -> new Piece.Bounds(moment.time(), null);
              };
          return new Found(piece, each.next());
        });
  }

  private Optional<Found> until(int index) {
    boolean before = tokenizedQuestion.at(index).is("before");
    return points
        .at(index + 1, true)
        .filter(each -> before || !(each.point() instanceof Point.Stretch))
        .map(each -> {
          Piece piece =
              switch (each.point()) {
                case Point.Stretch stretch -> new Piece.Bounds(null, stretch.from());
                case Point.Clock clock -> new Piece.Hours(null, clock.time());
                case Point.Moment moment ->
                    new Piece.Bounds(ofThatDay(index, moment), moment.time());
              };
          return new Found(piece, each.next());
        });
  }

  /** "Before 10:00 today" means today; "before 2026-11-18T10:00Z" means any time before. */
  private @Nullable LocalDateTime ofThatDay(int index, Point.Moment moment) {
    return points.clock(index + 1, true).isPresent()
        ? moment.time().toLocalDate().atStartOfDay()
        : null;
  }
}
