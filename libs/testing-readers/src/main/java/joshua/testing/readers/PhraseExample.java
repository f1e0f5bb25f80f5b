package joshua.testing.readers;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.thought.reading.ParsedQuestion;
import joshua.thought.reading.SentenceFeatures;
import joshua.thought.reading.TextEmbedder;
import joshua.thought.reading.TrainingPhrases;

/** A training phrase, parsed as a question is, with its features. */
record PhraseExample(
    TrainingPhrases.Phrasing phrasing, ParsedQuestion question, SentenceFeatures features) {
  /** The phrases contain "today"; any day will do. */
  private static final ZonedDateTime SOME_DAY =
      ZonedDateTime.of(2026, 3, 18, 15, 30, 0, 0, ZoneOffset.UTC);

  /** All phrases, except those without a word to learn from. */
  static List<PhraseExample> of(TrainingPhrases book, TextEmbedder textEmbedder)
      throws InterruptedException {
    List<PhraseExample> examples = new ArrayList<>();
    for (TrainingPhrases.Phrasing phrasing : book.phrasings()) {
      Optional<ParsedQuestion> question =
          ParsedQuestion.of(phrasing.text(), book.participants(), book.values(), SOME_DAY);
      if (question.isPresent()) {
        examples.add(
            new PhraseExample(phrasing, question.get(), question.get().features(textEmbedder)));
      }
    }
    return examples;
  }

  String wanted() {
    return phrasing.wanted();
  }
}
