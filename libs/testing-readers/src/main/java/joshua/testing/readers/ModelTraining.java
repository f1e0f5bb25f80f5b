package joshua.testing.readers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import joshua.thought.reading.QuestionVocabulary;
import joshua.thought.reading.TrainingPhrases;

/** The training of a MAD's model: the lines of {@code learned.tsv} from its phrases. */
final class ModelTraining {
  private ModelTraining() {}

  /** Trains a model; the same examples yield the same lines. */
  static List<String> lines(TrainingPhrases book, List<PhraseExample> examples) {
    List<String> asking = new ArrayList<>();
    List<String> acting = new ArrayList<>();
    List<ClassifierTraining.Example> all = new ArrayList<>();
    for (PhraseExample each : examples) {
      if (each.wanted().equals(TrainingPhrases.ACT)) {
        acting.addAll(each.question().words());
      } else if (!each.wanted().equals(TrainingPhrases.NONE)) {
        asking.addAll(each.question().words());
      }
      all.add(new ClassifierTraining.Example(each.features(), each.wanted()));
    }
    List<String> lines = new ArrayList<>(ClassifierTraining.train(book.classes(), all));
    lines.addAll(1, List.of(stems("asking", asking), stems("acting", acting)));
    return lines;
  }

  private static String stems(String kind, Collection<String> words) {
    return kind + "\t" + String.join("\t", new TreeSet<>(QuestionVocabulary.stems(words)));
  }

  /**
   * The mean difference between the weights of two models; infinite if classes or words differ.
   * Vectors differ slightly between kinds of processors, and so do the weights.
   */
  static double distance(List<String> lines, List<String> others) {
    if (!lines.stream()
        .map(ModelTraining::label)
        .toList()
        .equals(others.stream().map(ModelTraining::label).toList())) {
      return Double.POSITIVE_INFINITY;
    }
    double sum = 0;
    long weights = 0;
    for (int i = 0; i < lines.size(); i++) {
      double[] some = weights(lines.get(i));
      double[] other = weights(others.get(i));
      for (int k = 0; k < some.length; k++) {
        sum += Math.abs(some[k] - other[k]);
      }
      weights += some.length;
    }
    return sum / weights;
  }

  /** The part of a line before its weights. */
  private static String label(String line) {
    String[] cells = line.split("\t", 3);
    return switch (cells[0]) {
      case "bias", "meaning" -> cells[0];
      case "word" -> cells[0] + "\t" + cells[1];
      default -> line;
    };
  }

  private static double[] weights(String line) {
    int from = Math.min(line.length(), label(line).length() + 1);
    return Arrays.stream(line.substring(from).split("\t", -1))
        .filter(cell -> !cell.isEmpty())
        .mapToDouble(Double::parseDouble)
        .toArray();
  }
}
