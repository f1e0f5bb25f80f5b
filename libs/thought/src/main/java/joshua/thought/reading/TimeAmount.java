package joshua.thought.reading;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A number of time units: "10 minutes", "an hour", "half an hour", "a couple of days".
 *
 * @param next the index of the token after it
 */
record TimeAmount(long number, ChronoUnit unit, int next) {

  LocalDateTime before(LocalDateTime moment) {
    return moment.minus(number, unit);
  }

  /** The amount that begins at a token; "hour" alone is one. */
  static Optional<TimeAmount> at(TokenizedQuestion tokenizedQuestion, int index) {
    if (tokenizedQuestion.has(index, "half", "an", "hour")) {
      return Optional.of(new TimeAmount(30, ChronoUnit.MINUTES, index + 3));
    }
    if (tokenizedQuestion.has(index, "half", "hour")) {
      return Optional.of(new TimeAmount(30, ChronoUnit.MINUTES, index + 2));
    }
    if (tokenizedQuestion.has(index, "quarter", "of", "an", "hour")) {
      return Optional.of(new TimeAmount(15, ChronoUnit.MINUTES, index + 4));
    }
    int couple = tokenizedQuestion.has(index, "a", "couple") ? index + 1 : index;
    if (tokenizedQuestion.has(couple, "couple")) {
      return of(
          tokenizedQuestion, 2, tokenizedQuestion.has(couple + 1, "of") ? couple + 2 : couple + 1);
    }
    OptionalInt counted = TimeWords.number(tokenizedQuestion.at(index));
    if (counted.isPresent()) {
      return of(tokenizedQuestion, counted.getAsInt(), index + 1);
    }
    boolean one =
        tokenizedQuestion.isFree(index) && tokenizedQuestion.at(index).is("a", "an", "one");
    return of(tokenizedQuestion, 1, one ? index + 1 : index);
  }

  private static Optional<TimeAmount> of(
      TokenizedQuestion tokenizedQuestion, long number, int unitAt) {
    return number < 1 || !tokenizedQuestion.isFree(unitAt)
        ? Optional.empty()
        : TimeWords.unit(tokenizedQuestion.at(unitAt))
            .map(unit -> new TimeAmount(number, unit, unitAt + 1));
  }
}
