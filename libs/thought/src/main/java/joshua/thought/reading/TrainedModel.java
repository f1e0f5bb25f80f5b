package joshua.thought.reading;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import joshua.kernel.ResourceText;

/**
 * The model trained on a MAD's phrases: the weights of the classifier and the vocabulary of
 * questions. Shipped as the text {@code learned.tsv} beside the phrases. Immutable.
 */
public record TrainedModel(SoftmaxClassifier classifier, QuestionVocabulary vocabulary) {
  /** Reads the model shipped with a MAD: {@code phrasings/learned.tsv} beside the class. */
  static TrainedModel beside(Class<?> mad) {
    return of(
        ResourceText.beside(mad, "phrasings/learned.tsv")
            .orElseThrow(() -> new IllegalArgumentException(mad.getName() + " has learned nothing"))
            .lines()
            .toList());
  }

  /** Parses the lines of a {@code learned.tsv}. */
  public static TrainedModel of(List<String> lines) {
    List<String> classes = List.of();
    Set<String> asking = Set.of();
    Set<String> acting = Set.of();
    double[] bias = {};
    List<double[]> meaning = new ArrayList<>();
    Map<String, double[]> words = new LinkedHashMap<>();
    for (String line : lines) {
      String[] cells = line.split("\t", -1);
      List<String> rest = Arrays.asList(cells).subList(1, cells.length);
      switch (cells[0]) {
        case "classes" -> classes = rest;
        case "asking" -> asking = Set.copyOf(rest);
        case "acting" -> acting = Set.copyOf(rest);
        case "bias" -> bias = numbers(rest, 0);
        case "meaning" -> meaning.add(numbers(rest, 0));
        case "word" -> words.put(rest.getFirst(), numbers(rest, 1));
        default -> throw new IllegalArgumentException("learned.tsv has a line " + cells[0]);
      }
    }
    return new TrainedModel(
        new SoftmaxClassifier(classes, bias, meaning.toArray(double[][]::new), words),
        new QuestionVocabulary(asking, acting));
  }

  private static double[] numbers(List<String> cells, int from) {
    return cells.subList(from, cells.size()).stream().mapToDouble(Double::parseDouble).toArray();
  }
}
