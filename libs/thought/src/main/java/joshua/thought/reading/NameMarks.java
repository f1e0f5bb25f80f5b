package joshua.thought.reading;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import joshua.thought.reading.QuestionToken.Kind;

/**
 * Distinguishes a participant's name from an ordinary word chosen as a name: "my", "failed" and
 * "today" keep their meaning, unless the sentence marks them as names. Any client can register any
 * name, and no name may change how other clients' questions are read.
 */
final class NameMarks {
  private static final Set<String> BEFORE = Set.of("of", "by", "from", "for", "@");

  private static final Set<String> ALSO_NAMES = RuleWords.list("also names");
  private static final Set<String> CHOOSING = RuleWords.list("choosing");

  private static final ZonedDateTime ANY_DAY =
      ZonedDateTime.of(2026, 1, 1, 12, 0, 0, 0, ZoneOffset.UTC);

  private static final ExtractedEntities NOTHING =
      new ExtractedEntities(
          List.of(),
          List.of(),
          AskerWords.NO,
          Set.of(),
          Set.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          OptionalInt.empty(),
          false,
          List.of());

  private NameMarks() {}

  /** The possible name at a token: a word, or a quotation after "of" and the like. */
  static String at(TokenizedQuestion tokenizedQuestion, int index) {
    QuestionToken questionToken = tokenizedQuestion.at(index);
    return questionToken.kind() == Kind.QUOTED && isMarked(tokenizedQuestion, index)
        ? questionToken.text().substring(1, questionToken.text().length() - 1).strip()
        : questionToken.text();
  }

  /** Whether a word that is a participant's name is meant as one here. */
  static boolean isMeant(TokenizedQuestion tokenizedQuestion, int index) {
    QuestionToken questionToken = tokenizedQuestion.at(index);
    if (questionToken.kind() == Kind.QUOTED
        || tokenizedQuestion.at(index - 1).is("@")
        || !isOrdinary(questionToken)) {
      return true;
    }
    boolean grouped = tokenizedQuestion.at(index - 1).is("by");
    return ALSO_NAMES.contains(questionToken.text())
        && ((isMarked(tokenizedQuestion, index) && !grouped)
            || tokenizedQuestion.has(index + 1, "'s"));
  }

  private static boolean isMarked(TokenizedQuestion tokenizedQuestion, int index) {
    return BEFORE.contains(tokenizedQuestion.at(index - 1).text());
  }

  private static boolean isOrdinary(QuestionToken questionToken) {
    return QuestionVocabulary.isPlainWord(questionToken.text())
        || CHOOSING.contains(questionToken.text())
        || TimeWords.unit(questionToken).isPresent()
        || TimeWords.month(questionToken).isPresent()
        || TimeWords.weekday(questionToken).isPresent()
        || rulesKnow(questionToken.text());
  }

  /** Whether a rule recognizes the word alone: as an id, the asker, a state, a time, a count. */
  private static boolean rulesKnow(String word) {
    return TokenizedQuestion.of(word)
        .map(alone -> EntityExtractor.take(alone, Set.of(), NamedValues.none(), ANY_DAY))
        .filter(NOTHING::equals)
        .isEmpty();
  }
}
