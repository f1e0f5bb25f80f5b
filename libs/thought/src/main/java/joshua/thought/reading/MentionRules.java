package joshua.thought.reading;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.thought.reading.Sentence.Slot;
import joshua.thought.reading.Token.Kind;

/** All rules for what a question speaks of, in the order in which they take words from it. */
final class MentionRules {
  /** What a {@link Mentions} notes for a time that isn't understood. */
  static final String UNREAD_TIME = "a time";

  private MentionRules() {}

  /** Reads what the sentence speaks of; afterwards it has a slot for each argument. */
  static Mentions take(
      Sentence sentence, Set<String> participants, NamedValues named, ZonedDateTime now) {
    List<String> unreadable = new ArrayList<>();
    WhoRules who = new WhoRules(named.others(participants));
    List<String> names = who.takeNames(sentence, unreadable);
    List<String> ids = takeIds(sentence);
    TimeRules.Taken time = TimeRules.take(sentence, now);
    Optional<Span> span = Optional.empty();
    Optional<Span> other = Optional.empty();
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
    Asker asker = who.asker(sentence, unreadable);
    Set<String> statuses = StatusRules.in(sentence, unreadable);
    Set<NamedValues.Named> values = named.in(sentence, unreadable);
    CountRules.Count count = CountRules.take(sentence, unreadable);
    for (int i = 0; i < sentence.size(); i++) {
      if (sentence.isFree(i) && restricts(sentence, i)) {
        unreadable.add(sentence.at(i).text());
      }
    }
    return new Mentions(
        ids,
        names,
        asker,
        statuses,
        values,
        span,
        other,
        moment,
        count.limit(),
        count.one(),
        unreadable);
  }

  /** Words that narrow a question in a way that no argument holds: "longer than", "except". */
  private static boolean restricts(Sentence sentence, int index) {
    Token token = sentence.at(index);
    return token.kind() == Kind.QUOTED
        || token.is("except", "excluding", "besides", "containing", "mentioning")
        || (token.is("without") && !isUnbroken(sentence, index + 1))
        || (token.is("than") && !sentence.has(index + 1, "one"))
        || (token.is("will") && !sentence.has(index + 1, "you"));
  }

  /** "up without a restart": that is what being up means. */
  private static boolean isUnbroken(Sentence sentence, int index) {
    int at = sentence.at(index).is("a", "any") ? index + 1 : index;
    return sentence.at(at).is("restart", "restarts", "interruption", "interruptions", "stopping");
  }

  private static List<String> takeIds(Sentence sentence) {
    Set<String> ids = new LinkedHashSet<>();
    for (int i = 0; i < sentence.size(); i++) {
      Token token = sentence.at(i);
      if (sentence.isFree(i) && token.kind() == Kind.ID && isId(sentence, i)) {
        ids.add(token.text());
        int to = sentence.has(i + 1, "'s") ? i + 2 : i + 1;
        sentence.take(i, to, Slot.ID);
      }
    }
    return new ArrayList<>(ids);
  }

  /** Eight letters a to f may be a word; behind "task" they are an id. */
  private static boolean isId(Sentence sentence, int index) {
    return sentence.at(index).text().chars().anyMatch(Character::isDigit)
        || sentence.at(index - 1).is("task", "job", "id", "of", "request", "result", "#")
        || sentence.size() == 1;
  }
}
