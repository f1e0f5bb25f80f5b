package joshua.thought.reading;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import joshua.kernel.Json;
import joshua.thought.QuerySpec;

/** The decision on what a question asks for; when unsure, none. */
public final class IntentClassifier {
  /** The additional certainty required for each unknown word. */
  static final double STRANGENESS = 0.07;

  /** A query with its arguments, or {@link TrainingPhrases#ACT}. */
  public record Verdict(String name, ObjectNode arguments) {}

  private final TrainedModel trainedModel;
  private final double threshold;
  private final Map<String, ExtractedArguments> queries = new LinkedHashMap<>();

  /**
   * Creates a classifier.
   *
   * @param threshold how sure it must be, from 0 to 1
   */
  public IntentClassifier(
      TrainedModel trainedModel, TrainingPhrases book, List<QuerySpec> specs, double threshold) {
    this.trainedModel = trainedModel;
    this.threshold = threshold;
    specs.forEach(
        spec -> queries.put(spec.name(), new ExtractedArguments(spec, book.held(spec.name()))));
  }

  /** The most likely queries, however unlikely they are; likeliest first. */
  List<String> nearest(SentenceFeatures sentenceFeatures, int most) {
    SoftmaxClassifier softmaxClassifier = trainedModel.classifier();
    double[] likely = softmaxClassifier.probabilities(sentenceFeatures);
    return IntStream.range(0, likely.length)
        .boxed()
        .sorted(Comparator.comparingDouble(k -> -likely[k]))
        .map(softmaxClassifier.classes()::get)
        .filter(queries::containsKey)
        .limit(most)
        .toList();
  }

  /** The query that a question asks for; empty if that is uncertain, or an entity doesn't fit. */
  public Optional<Verdict> judge(
      ParsedQuestion question, SentenceFeatures sentenceFeatures, String asker) {
    SoftmaxClassifier.Guess guess = trainedModel.classifier().guess(sentenceFeatures);
    boolean act = guess.name().equals(TrainingPhrases.ACT);
    int strange = trainedModel.vocabulary().strange(question.words(), act).size();
    if (guess.name().equals(TrainingPhrases.NONE)
        || guess.probability() < threshold + strange * STRANGENESS) {
      return Optional.empty();
    }
    if (act) {
      return Optional.of(new Verdict(guess.name(), Json.object()));
    }
    if (trainedModel.vocabulary().speaksOfAStranger(question.words())) {
      return Optional.empty();
    }
    return Optional.ofNullable(queries.get(guess.name()))
        .flatMap(query -> query.of(question.entities(), asker))
        .map(arguments -> new Verdict(guess.name(), arguments));
  }
}
