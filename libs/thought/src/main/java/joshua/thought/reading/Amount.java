package joshua.thought.reading;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * So many of a unit of time: "10 minutes", "an hour", "half an hour", "a couple of days".
 *
 * @param next where the tokens go on behind it
 */
record Amount(long number, ChronoUnit unit, int next) {

  LocalDateTime before(LocalDateTime moment) {
    return moment.minus(number, unit);
  }

  /** The amount that begins at a token; "hour" alone is one. */
  static Optional<Amount> at(Sentence sentence, int index) {
    if (sentence.has(index, "half", "an", "hour")) {
      return Optional.of(new Amount(30, ChronoUnit.MINUTES, index + 3));
    }
    if (sentence.has(index, "half", "hour")) {
      return Optional.of(new Amount(30, ChronoUnit.MINUTES, index + 2));
    }
    if (sentence.has(index, "quarter", "of", "an", "hour")) {
      return Optional.of(new Amount(15, ChronoUnit.MINUTES, index + 4));
    }
    int couple = sentence.has(index, "a", "couple") ? index + 1 : index;
    if (sentence.has(couple, "couple")) {
      return of(sentence, 2, sentence.has(couple + 1, "of") ? couple + 2 : couple + 1);
    }
    OptionalInt counted = TimeWords.number(sentence.at(index));
    if (counted.isPresent()) {
      return of(sentence, counted.getAsInt(), index + 1);
    }
    boolean one = sentence.isFree(index) && sentence.at(index).is("a", "an", "one");
    return of(sentence, 1, one ? index + 1 : index);
  }

  private static Optional<Amount> of(Sentence sentence, long number, int unitAt) {
    return number < 1 || !sentence.isFree(unitAt)
        ? Optional.empty()
        : TimeWords.unit(sentence.at(unitAt)).map(unit -> new Amount(number, unit, unitAt + 1));
  }
}
