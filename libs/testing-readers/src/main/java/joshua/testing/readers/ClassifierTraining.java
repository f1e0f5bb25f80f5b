package joshua.testing.readers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import joshua.thought.reading.SentenceFeatures;
import joshua.thought.reading.SoftmaxClassifier;

/**
 * The training of a {@link SoftmaxClassifier}: full batches, a fixed number of steps, from zero, in
 * one thread, so that the same examples yield the same weights, as lines of {@code learned.tsv}.
 */
final class ClassifierTraining {
  /** A phrase and its label. */
  record Example(SentenceFeatures features, String wanted) {}

  /** The precision of weights, as written and as used. */
  private static final double GRAIN = 1_000;

  static final int STEPS = 150;
  static final double STEP = 0.1;

  /** The weight decay. */
  static final double DECAY = 3e-5;

  /**
   * The part of each example's weight that is spread over all classes, so that nothing is learned
   * as certain: a question in other words is then as sure as it should be.
   */
  static final double SMOOTHING = 0.05;

  /** Words in fewer examples than this aren't learned. */
  static final int RARE = 2;

  private final List<String> classes;
  private final int dimensions;
  private final List<String> vocabulary = new ArrayList<>();
  private final float[][] meanings;
  private final int[][] words;
  private final int[] wanted;
  private final double[][] weights;
  private final int[] sizes;

  private ClassifierTraining(List<String> classes, List<Example> examples) {
    this.classes = classes;
    this.dimensions = examples.getFirst().features().meaning().length;
    Map<String, Integer> counts = new LinkedHashMap<>();
    examples.forEach(
        each -> each.features().words().forEach(word -> counts.merge(word, 1, Integer::sum)));
    Map<String, Integer> places = new LinkedHashMap<>();
    counts.forEach((word, count) -> {
      if (count >= RARE) {
        places.put(word, places.size());
        vocabulary.add(word);
      }
    });
    this.meanings = new float[examples.size()][];
    this.words = new int[examples.size()][];
    this.wanted = new int[examples.size()];
    for (int i = 0; i < examples.size(); i++) {
      SentenceFeatures sentenceFeatures = examples.get(i).features();
      meanings[i] = sentenceFeatures.meaning();
      words[i] =
          sentenceFeatures.words().stream()
              .filter(places::containsKey)
              .mapToInt(places::get)
              .toArray();
      wanted[i] = classes.indexOf(examples.get(i).wanted());
    }
    this.weights = new double[1 + dimensions + vocabulary.size()][classes.size()];
    this.sizes = examples.stream().mapToInt(each -> each.features().words().size()).toArray();
  }

  static List<String> train(List<String> classes, List<Example> examples) {
    ClassifierTraining classifierTraining = new ClassifierTraining(classes, examples);
    classifierTraining.run();
    return classifierTraining.lines();
  }

  /** Adam: each weight has its own step size. */
  private void run() {
    double[][] mean = new double[weights.length][classes.size()];
    double[][] spread = new double[weights.length][classes.size()];
    for (int step = 1; step <= STEPS; step++) {
      double[][] gradient = gradient();
      double rate = STEP * (1 - (step - 1.0) / STEPS);
      double meanBias = 1 - StrictMath.pow(0.9, step);
      double spreadBias = 1 - StrictMath.pow(0.99, step);
      for (int f = 0; f < weights.length; f++) {
        for (int k = 0; k < classes.size(); k++) {
          double slope = gradient[f][k] + (f == 0 ? 0 : DECAY * weights[f][k]);
          mean[f][k] = 0.9 * mean[f][k] + 0.1 * slope;
          spread[f][k] = 0.99 * spread[f][k] + 0.01 * slope * slope;
          weights[f][k] -=
              rate * (mean[f][k] / meanBias) / (Math.sqrt(spread[f][k] / spreadBias) + 1e-8);
        }
      }
    }
  }

  private double[][] gradient() {
    double[][] gradient = new double[weights.length][classes.size()];
    for (int i = 0; i < meanings.length; i++) {
      double each = SoftmaxClassifier.wordScale(sizes[i]);
      double[] error = weights[0].clone();
      for (int d = 0; d < dimensions; d++) {
        add(weights[1 + d], SoftmaxClassifier.MEANING_SCALE * meanings[i][d], error);
      }
      for (int word : words[i]) {
        add(weights[1 + dimensions + word], each, error);
      }
      SoftmaxClassifier.softmax(error);
      error[wanted[i]] -= 1 - SMOOTHING;
      for (int k = 0; k < error.length; k++) {
        error[k] = (error[k] - SMOOTHING / error.length) / meanings.length;
      }
      add(error, 1, gradient[0]);
      for (int d = 0; d < dimensions; d++) {
        add(error, SoftmaxClassifier.MEANING_SCALE * meanings[i][d], gradient[1 + d]);
      }
      for (int word : words[i]) {
        add(error, each, gradient[1 + dimensions + word]);
      }
    }
    return gradient;
  }

  private static void add(double[] from, double factor, double[] to) {
    for (int k = 0; k < to.length; k++) {
      to[k] += from[k] * factor;
    }
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("classes\t" + String.join("\t", classes));
    lines.add("bias\t" + joined(weights[0]));
    for (int d = 0; d < dimensions; d++) {
      lines.add("meaning\t" + joined(weights[1 + d]));
    }
    for (int word = 0; word < vocabulary.size(); word++) {
      String own = joined(weights[1 + dimensions + word]);
      lines.add("word\t" + vocabulary.get(word) + "\t" + own);
    }
    return lines;
  }

  /** Adding zero turns -0 into 0. */
  private static String joined(double[] weights) {
    return DoubleStream.of(weights)
        .map(weight -> Math.rint(weight * GRAIN) / GRAIN + 0.0)
        .mapToObj(weight -> String.format(Locale.ROOT, "%.3f", weight))
        .collect(Collectors.joining("\t"));
  }
}
