package joshua.thought.reading;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import joshua.thought.reading.Token.Kind;

/**
 * Tells a participant's name from an ordinary word that somebody has chosen for a name: "my",
 * "failed" and "today" mean what they always mean, unless the sentence marks them. Anybody can ask
 * under any name, and nobody's name may change how the others' questions are read.
 */
final class NameMarks {
  private static final Set<String> BEFORE = Set.of("of", "by", "from", "for", "@");

  /**
   * Ordinary words that are often somebody's name; behind "of" or before "'s" they are ("by user"
   * groups).
   */
  private static final Set<String> ALSO_NAMES =
      Set.of(
          "agent",
          "april",
          "august",
          "bot",
          "buddy",
          "caller",
          "client",
          "customer",
          "guy",
          "jan",
          "june",
          "mark",
          "may",
          "member",
          "participant",
          "person",
          "requester",
          "server",
          "service",
          "submitter",
          "team",
          "user",
          "will");

  /**
   * What compares, chooses and bounds, and what a question asks for: no small words, and no names.
   */
  private static final Set<String> CHOOSING =
      Set.of(
          "latest",
          "newest",
          "oldest",
          "slowest",
          "fastest",
          "fewest",
          "least",
          "except",
          "excluding",
          "besides",
          "containing",
          "mentioning",
          "older",
          "newer",
          "younger",
          "than",
          "usage",
          "cost",
          "costs",
          "token",
          "tokens",
          "history",
          "activity",
          "tonight",
          "between",
          "dozen");

  private static final ZonedDateTime ANY_DAY =
      ZonedDateTime.of(2026, 1, 1, 12, 0, 0, 0, ZoneOffset.UTC);

  private static final Mentions NOTHING =
      new Mentions(
          List.of(),
          List.of(),
          Asker.NO,
          Set.of(),
          Set.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          OptionalInt.empty(),
          false,
          List.of());

  private NameMarks() {}

  /** What there may be a participant's name: a word, or a quotation behind "of" or its like. */
  static String at(Sentence sentence, int index) {
    Token token = sentence.at(index);
    return token.kind() == Kind.QUOTED && isMarked(sentence, index)
        ? token.text().substring(1, token.text().length() - 1).strip()
        : token.text();
  }

  /** Whether a word that is a participant's name is meant as one there. */
  static boolean isMeant(Sentence sentence, int index) {
    Token token = sentence.at(index);
    if (token.kind() == Kind.QUOTED || sentence.at(index - 1).is("@") || !isOrdinary(token)) {
      return true;
    }
    boolean grouped = sentence.at(index - 1).is("by");
    return ALSO_NAMES.contains(token.text())
        && ((isMarked(sentence, index) && !grouped) || sentence.has(index + 1, "'s"));
  }

  private static boolean isMarked(Sentence sentence, int index) {
    return BEFORE.contains(sentence.at(index - 1).text());
  }

  private static boolean isOrdinary(Token token) {
    return Vocabulary.isPlainWord(token.text())
        || CHOOSING.contains(token.text())
        || TimeWords.unit(token).isPresent()
        || TimeWords.month(token).isPresent()
        || TimeWords.weekday(token).isPresent()
        || rulesKnow(token.text());
  }

  /**
   * Whether a rule makes something of the word alone: an id, the asker, a state, a time, a count.
   */
  private static boolean rulesKnow(String word) {
    return Sentence.of(word)
        .map(alone -> MentionRules.take(alone, Set.of(), NamedValues.none(), ANY_DAY))
        .filter(NOTHING::equals)
        .isEmpty();
  }
}
