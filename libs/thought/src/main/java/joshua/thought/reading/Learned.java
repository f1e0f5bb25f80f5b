package joshua.thought.reading;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import joshua.kernel.ShippedText;

/**
 * What was learned from a MAD's phrasings: the weights of the classifier and the words with which
 * one can ask. Shipped as the text {@code learned.tsv} beside the phrasings. Immutable.
 */
public final class Learned {
  /** Weights are written, and used, with so many places. */
  private static final double GRAIN = 1_000;

  /** The phrasings speak of "today"; any day will do. */
  private static final ZonedDateTime SOME_DAY =
      ZonedDateTime.of(2026, 3, 18, 15, 30, 0, 0, ZoneOffset.UTC);

  private final Classifier classifier;
  private final Vocabulary vocabulary;

  private Learned(Classifier classifier, Vocabulary vocabulary) {
    this.classifier = classifier;
    this.vocabulary = vocabulary;
  }

  Classifier classifier() {
    return classifier;
  }

  Vocabulary vocabulary() {
    return vocabulary;
  }

  /** A phrasing as the rules and the embedder see it. */
  public record Example(
      Phrasebook.Phrasing phrasing, Sentence sentence, Mentions mentions, Features features) {}

  /** All phrasings of the book, but those without a word to learn from. */
  public static List<Example> examples(Phrasebook book, Embedder embedder)
      throws InterruptedException {
    List<Example> examples = new ArrayList<>();
    for (Phrasebook.Phrasing phrasing : book.phrasings()) {
      Optional<Sentence> sentence = Sentence.of(phrasing.text());
      if (sentence.isPresent()) {
        Mentions mentions =
            MentionRules.take(sentence.get(), book.participants(), book.values(), SOME_DAY);
        if (!Features.text(sentence.get()).isBlank()) {
          Features features = Features.of(sentence.get(), mentions, embedder);
          examples.add(new Example(phrasing, sentence.get(), mentions, features));
        }
      }
    }
    return examples;
  }

  /** Learns; the same examples give the same weights. */
  public static Learned from(Phrasebook book, List<Example> examples) {
    List<String> asking = new ArrayList<>();
    List<String> acting = new ArrayList<>();
    List<Training.Example> all = new ArrayList<>();
    for (Example each : examples) {
      String wanted = each.phrasing().wanted();
      if (wanted.equals(Phrasebook.ACT)) {
        acting.addAll(each.sentence().words());
      } else if (!wanted.equals(Phrasebook.NONE)) {
        asking.addAll(each.sentence().words());
      }
      all.add(new Training.Example(each.features(), wanted));
    }
    return new Learned(
        Training.train(book.classes(), all).rounded(GRAIN),
        new Vocabulary(Vocabulary.stems(asking), Vocabulary.stems(acting)));
  }

  /** Reads what is shipped with a MAD: {@code phrasings/learned.tsv} beside the class. */
  public static Learned beside(Class<?> mad) {
    return parse(
        ShippedText.beside(mad, "phrasings/learned.tsv")
            .orElseThrow(() -> new IllegalArgumentException(mad.getName() + " has learned nothing"))
            .lines()
            .toList());
  }

  private static Learned parse(List<String> lines) {
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
    return new Learned(
        new Classifier(classes, bias, meaning.toArray(double[][]::new), words),
        new Vocabulary(asking, acting));
  }

  private static double[] numbers(List<String> cells, int from) {
    return cells.subList(from, cells.size()).stream().mapToDouble(Double::parseDouble).toArray();
  }

  /** All of it, as {@link #beside} reads it. */
  public String text() {
    StringBuilder text = new StringBuilder();
    line(text, "classes", String.join("\t", classifier.classes()));
    line(text, "asking", String.join("\t", vocabulary.asking()));
    line(text, "acting", String.join("\t", vocabulary.acting()));
    line(text, "bias", joined(classifier.bias()));
    for (double[] weights : classifier.meaning()) {
      line(text, "meaning", joined(weights));
    }
    classifier
        .words()
        .forEach((word, weights) -> line(text, "word", word + "\t" + joined(weights)));
    return text.toString();
  }

  private static void line(StringBuilder text, String kind, String rest) {
    text.append(kind).append('\t').append(rest).append('\n');
  }

  private static String joined(double[] weights) {
    return DoubleStream.of(weights)
        .mapToObj(weight -> String.format(Locale.ROOT, "%.3f", weight + 0.0))
        .collect(Collectors.joining("\t"));
  }

  /**
   * How far the weights of the other are from these, on average; infinite if it knows other classes
   * or words. Vectors differ a little from one kind of processor to another, and weights with them.
   */
  public double distance(Learned other) {
    return vocabulary.asking().equals(other.vocabulary.asking())
            && vocabulary.acting().equals(other.vocabulary.acting())
        ? classifier.distance(other.classifier)
        : Double.POSITIVE_INFINITY;
  }
}
