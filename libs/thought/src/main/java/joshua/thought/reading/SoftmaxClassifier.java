package joshua.thought.reading;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A softmax classifier over an embedding vector and words: one weight per feature and class, summed
 * up. Immutable.
 */
public final class SoftmaxClassifier {
  /** The weight of a vector dimension relative to a word; fixed before training. */
  public static final double MEANING_SCALE = 2;

  private final List<String> classes;
  private final double[] bias;
  private final double[][] meaning;
  private final Map<String, double[]> words;

  SoftmaxClassifier(
      List<String> classes, double[] bias, double[][] meaning, Map<String, double[]> words) {
    this.classes = List.copyOf(classes);
    this.bias = bias.clone();
    this.meaning = meaning.clone();
    this.words = new LinkedHashMap<>(words);
  }

  /** A class and its probability, from 0 to 1. */
  public record Guess(String name, double probability) {}

  List<String> classes() {
    return classes;
  }

  /** The most probable class. */
  public Guess guess(SentenceFeatures sentenceFeatures) {
    double[] scores = probabilities(sentenceFeatures);
    int best = 0;
    for (int k = 1; k < scores.length; k++) {
      if (scores[k] > scores[best]) {
        best = k;
      }
    }
    return new Guess(classes.get(best), scores[best]);
  }

  double[] probabilities(SentenceFeatures sentenceFeatures) {
    double[] scores = bias.clone();
    for (int d = 0; d < meaning.length; d++) {
      add(meaning[d], MEANING_SCALE * sentenceFeatures.meaning()[d], scores);
    }
    double each = wordScale(sentenceFeatures.words().size());
    for (String word : sentenceFeatures.words()) {
      double[] weights = words.get(word);
      if (weights != null) {
        add(weights, each, scores);
      }
    }
    softmax(scores);
    return scores;
  }

  /** The weight of each word, which is lower in long questions. */
  public static double wordScale(int words) {
    return 1 / Math.sqrt(Math.max(1, words));
  }

  private static void add(double[] weights, double factor, double[] scores) {
    for (int k = 0; k < scores.length; k++) {
      scores[k] += weights[k] * factor;
    }
  }

  /** Turns scores into probabilities, in place; deterministic on every machine. */
  public static void softmax(double[] scores) {
    double most = Double.NEGATIVE_INFINITY;
    for (double score : scores) {
      most = Math.max(most, score);
    }
    double sum = 0;
    for (int k = 0; k < scores.length; k++) {
      scores[k] = StrictMath.exp(scores[k] - most);
      sum += scores[k];
    }
    for (int k = 0; k < scores.length; k++) {
      scores[k] /= sum;
    }
  }
}
