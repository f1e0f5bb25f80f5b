package joshua.thought.reading;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * A softmax classifier over an embedding vector and words: one weight per feature and class, summed
 * up. Immutable.
 */
final class SoftmaxClassifier {
  /** The weight of a vector dimension relative to a word; fixed before training. */
  static final double MEANING_SCALE = 2;

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
  record Guess(String name, double probability) {}

  List<String> classes() {
    return classes;
  }

  double[] bias() {
    return bias.clone();
  }

  double[][] meaning() {
    return meaning.clone();
  }

  Map<String, double[]> words() {
    return Collections.unmodifiableMap(words);
  }

  /** A copy with weights rounded to multiples of 1 / {@code grain}. */
  SoftmaxClassifier rounded(double grain) {
    Map<String, double[]> byWord = new LinkedHashMap<>();
    words.forEach((word, weights) -> byWord.put(word, rounded(weights, grain)));
    double[][] byDimension = new double[meaning.length][];
    Arrays.setAll(byDimension, d -> rounded(meaning[d], grain));
    return new SoftmaxClassifier(classes, rounded(bias, grain), byDimension, byWord);
  }

  private static double[] rounded(double[] weights, double grain) {
    return DoubleStream.of(weights).map(each -> Math.rint(each * grain) / grain).toArray();
  }

  /** The mean difference of the weights; infinity if classes or words differ. */
  double distance(SoftmaxClassifier other) {
    if (!classes.equals(other.classes)
        || meaning.length != other.meaning.length
        || !words.keySet().equals(other.words.keySet())) {
      return Double.POSITIVE_INFINITY;
    }
    double sum = difference(bias, other.bias);
    for (int d = 0; d < meaning.length; d++) {
      sum += difference(meaning[d], other.meaning[d]);
    }
    for (Map.Entry<String, double[]> each : words.entrySet()) {
      sum += difference(each.getValue(), other.words.getOrDefault(each.getKey(), bias));
    }
    return sum / ((1 + meaning.length + words.size()) * (double) classes.size());
  }

  private static double difference(double[] a, double[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += Math.abs(a[k] - b[k]);
    }
    return sum;
  }

  Guess guess(SentenceFeatures sentenceFeatures) {
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
  static double wordScale(int words) {
    return 1 / Math.sqrt(Math.max(1, words));
  }

  private static void add(double[] weights, double factor, double[] scores) {
    for (int k = 0; k < scores.length; k++) {
      scores[k] += weights[k] * factor;
    }
  }

  /** Turns scores into probabilities, in place; deterministic on every machine. */
  static void softmax(double[] scores) {
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
