package joshua.thought.reading;

import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tokens of a question, and the entities that the rules extracted from them. */
public record ParsedQuestion(TokenizedQuestion tokens, ExtractedEntities entities) {
  /**
   * Parses a question; empty if it is too long for one, or has no words besides its entities.
   *
   * @param participants the names that may occur
   * @param values the words for values of arguments
   * @param now what "today" refers to, with the zone
   */
  public static Optional<ParsedQuestion> of(
      String text, Set<String> participants, NamedValues values, ZonedDateTime now) {
    return TokenizedQuestion.of(text)
        .map(tokens ->
            new ParsedQuestion(tokens, EntityExtractor.take(tokens, participants, values, now)))
        .filter(question -> !SentenceFeatures.text(question.tokens()).isBlank());
  }

  /** The words in order, with a placeholder for each entity. */
  public List<String> words() {
    return tokens.words();
  }

  /** The features by which the question is classified. */
  public SentenceFeatures features(TextEmbedder textEmbedder) throws InterruptedException {
    return SentenceFeatures.of(tokens, entities, textEmbedder);
  }
}
