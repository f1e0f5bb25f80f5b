package joshua.thought.reading;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.thought.reading.QuestionToken.Kind;
import joshua.thought.reading.TokenizedQuestion.Slot;

/** Applies all extraction rules to a question, in the order in which they claim its tokens. */
final class EntityExtractor {
  /** The entry in {@link ExtractedEntities} for a time that isn't understood. */
  static final String UNREAD_TIME = "a time";

  private EntityExtractor() {}

  /** Extracts the entities of a question; afterwards it has a slot for each argument. */
  static ExtractedEntities take(
      TokenizedQuestion tokenizedQuestion,
      Set<String> participants,
      NamedValues named,
      ZonedDateTime now) {
    List<String> unreadable = new ArrayList<>();
    RequesterExtractor who = new RequesterExtractor(named.others(participants));
    List<String> names = who.takeNames(tokenizedQuestion, unreadable);
    List<String> ids = takeIds(tokenizedQuestion);
    TimeRules.Taken time = TimeRules.take(tokenizedQuestion, now);
    Optional<TimeSpan> span = Optional.empty();
    Optional<TimeSpan> other = Optional.empty();
    Optional<Instant> moment = Optional.empty();
    switch (time) {
      case TimeRules.Taken.Nothing nothing -> {}
      case TimeRules.Taken.Spoken spoken -> span = Optional.of(spoken.span());
      case TimeRules.Taken.Two two -> {
        span = Optional.of(two.first());
        other = Optional.of(two.second());
      }
      case TimeRules.Taken.Once once when named.takesMoments() ->
          moment = Optional.of(once.moment());
      case TimeRules.Taken.Once once -> unreadable.add(UNREAD_TIME);
      case TimeRules.Taken.Unreadable unread -> unreadable.add(UNREAD_TIME);
    }
    AskerWords askerWords = who.asker(tokenizedQuestion, unreadable);
    Set<String> statuses = StatusRules.in(tokenizedQuestion, unreadable);
    Set<NamedValues.Named> values = named.in(tokenizedQuestion, unreadable);
    CountRules.Count count = CountRules.take(tokenizedQuestion, unreadable);
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      if (tokenizedQuestion.isFree(i) && restricts(tokenizedQuestion, i)) {
        unreadable.add(tokenizedQuestion.at(i).text());
      }
    }
    return new ExtractedEntities(
        ids,
        names,
        askerWords,
        statuses,
        values,
        span,
        other,
        moment,
        count.limit(),
        count.one(),
        unreadable);
  }

  /**
   * Words that restrict a question in a way that no argument expresses: "longer than", "except".
   */
  private static boolean restricts(TokenizedQuestion tokenizedQuestion, int index) {
    QuestionToken questionToken = tokenizedQuestion.at(index);
    return questionToken.kind() == Kind.QUOTED
        || questionToken.is("except", "excluding", "besides", "containing", "mentioning")
        || (questionToken.is("without") && !isUnbroken(tokenizedQuestion, index + 1))
        || (questionToken.is("than") && !tokenizedQuestion.has(index + 1, "one"))
        || (questionToken.is("will") && !tokenizedQuestion.has(index + 1, "you"));
  }

  /** "up without a restart" just means being up. */
  private static boolean isUnbroken(TokenizedQuestion tokenizedQuestion, int index) {
    int at = tokenizedQuestion.at(index).is("a", "any") ? index + 1 : index;
    return tokenizedQuestion
        .at(at)
        .is("restart", "restarts", "interruption", "interruptions", "stopping");
  }

  private static List<String> takeIds(TokenizedQuestion tokenizedQuestion) {
    Set<String> ids = new LinkedHashSet<>();
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      QuestionToken questionToken = tokenizedQuestion.at(i);
      if (tokenizedQuestion.isFree(i)
          && questionToken.kind() == Kind.ID
          && isId(tokenizedQuestion, i)) {
        ids.add(questionToken.text());
        int to = tokenizedQuestion.has(i + 1, "'s") ? i + 2 : i + 1;
        tokenizedQuestion.take(i, to, Slot.ID);
      }
    }
    return new ArrayList<>(ids);
  }

  /** Eight letters a to f may be a word; after "task" they are an id. */
  private static boolean isId(TokenizedQuestion tokenizedQuestion, int index) {
    return tokenizedQuestion.at(index).text().chars().anyMatch(Character::isDigit)
        || tokenizedQuestion.at(index - 1).is("task", "job", "id", "of", "request", "result", "#")
        || tokenizedQuestion.size() == 1;
  }
}
