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

/** Decides what a sentence asks for, and rather says nothing than something else. */
final class Judge {
  /** By how much surer the classifier must be for each word that nobody asks with. */
  static final double STRANGENESS = 0.07;

  /** A query with its arguments, or {@link Phrasebook#ACT}. */
  record Verdict(String name, ObjectNode arguments) {}

  private final Learned learned;
  private final double threshold;
  private final Map<String, Arguments> queries = new LinkedHashMap<>();

  Judge(Learned learned, Phrasebook book, List<QuerySpec> specs, double threshold) {
    this.learned = learned;
    this.threshold = threshold;
    specs.forEach(spec -> queries.put(spec.name(), new Arguments(spec, book.held(spec.name()))));
  }

  /** The queries that this asks for most likely, however unlikely that is; likeliest first. */
  List<String> nearest(Features features, int most) {
    Classifier classifier = learned.classifier();
    double[] likely = classifier.probabilities(features);
    return IntStream.range(0, likely.length)
        .boxed()
        .sorted(Comparator.comparingDouble(k -> -likely[k]))
        .map(classifier.classes()::get)
        .filter(queries::containsKey)
        .limit(most)
        .toList();
  }

  Optional<Verdict> judge(Sentence sentence, Mentions mentions, Features features, String asker) {
    Classifier.Guess guess = learned.classifier().guess(features);
    boolean act = guess.name().equals(Phrasebook.ACT);
    int strange = learned.vocabulary().strange(sentence.words(), act).size();
    if (guess.name().equals(Phrasebook.NONE)
        || guess.probability() < threshold + strange * STRANGENESS) {
      return Optional.empty();
    }
    if (act) {
      return Optional.of(new Verdict(guess.name(), Json.object()));
    }
    if (learned.vocabulary().speaksOfAStranger(sentence.words())) {
      return Optional.empty();
    }
    return Optional.ofNullable(queries.get(guess.name()))
        .flatMap(query -> query.of(mentions, asker))
        .map(arguments -> new Verdict(guess.name(), arguments));
  }
}
