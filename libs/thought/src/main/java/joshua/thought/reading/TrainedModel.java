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
import joshua.kernel.ResourceText;

/**
 * The model trained on a MAD's phrases: the weights of the classifier and the vocabulary of
 * questions. Shipped as the text {@code learned.tsv} beside the phrases. Immutable.
 */
public final class TrainedModel {
  /** The precision of weights, as written and as used. */
  private static final double GRAIN = 1_000;

  /** The phrases contain "today"; any day will do. */
  private static final ZonedDateTime SOME_DAY =
      ZonedDateTime.of(2026, 3, 18, 15, 30, 0, 0, ZoneOffset.UTC);

  private final SoftmaxClassifier softmaxClassifier;
  private final QuestionVocabulary questionVocabulary;

  private TrainedModel(SoftmaxClassifier softmaxClassifier, QuestionVocabulary questionVocabulary) {
    this.softmaxClassifier = softmaxClassifier;
    this.questionVocabulary = questionVocabulary;
  }

  SoftmaxClassifier classifier() {
    return softmaxClassifier;
  }

  QuestionVocabulary vocabulary() {
    return questionVocabulary;
  }

  /** A phrase in the form that the rules and the embedder see. */
  public record Example(
      TrainingPhrases.Phrasing phrasing,
      TokenizedQuestion sentence,
      ExtractedEntities mentions,
      SentenceFeatures features) {}

  /** All phrases, except those without a word to learn from. */
  public static List<Example> examples(TrainingPhrases book, TextEmbedder textEmbedder)
      throws InterruptedException {
    List<Example> examples = new ArrayList<>();
    for (TrainingPhrases.Phrasing phrasing : book.phrasings()) {
      Optional<TokenizedQuestion> sentence = TokenizedQuestion.of(phrasing.text());
      if (sentence.isPresent()) {
        ExtractedEntities extractedEntities =
            EntityExtractor.take(sentence.get(), book.participants(), book.values(), SOME_DAY);
        if (!SentenceFeatures.text(sentence.get()).isBlank()) {
          SentenceFeatures sentenceFeatures =
              SentenceFeatures.of(sentence.get(), extractedEntities, textEmbedder);
          examples.add(new Example(phrasing, sentence.get(), extractedEntities, sentenceFeatures));
        }
      }
    }
    return examples;
  }

  /** Trains a model; the same examples yield the same weights. */
  public static TrainedModel from(TrainingPhrases book, List<Example> examples) {
    List<String> asking = new ArrayList<>();
    List<String> acting = new ArrayList<>();
    List<ClassifierTraining.Example> all = new ArrayList<>();
    for (Example each : examples) {
      String wanted = each.phrasing().wanted();
      if (wanted.equals(TrainingPhrases.ACT)) {
        acting.addAll(each.sentence().words());
      } else if (!wanted.equals(TrainingPhrases.NONE)) {
        asking.addAll(each.sentence().words());
      }
      all.add(new ClassifierTraining.Example(each.features(), wanted));
    }
    return new TrainedModel(
        ClassifierTraining.train(book.classes(), all).rounded(GRAIN),
        new QuestionVocabulary(QuestionVocabulary.stems(asking), QuestionVocabulary.stems(acting)));
  }

  /** Reads the model shipped with a MAD: {@code phrasings/learned.tsv} beside the class. */
  public static TrainedModel beside(Class<?> mad) {
    return parse(
        ResourceText.beside(mad, "phrasings/learned.tsv")
            .orElseThrow(() -> new IllegalArgumentException(mad.getName() + " has learned nothing"))
            .lines()
            .toList());
  }

  private static TrainedModel parse(List<String> lines) {
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

  /** The model in the form that {@link #beside} reads. */
  public String text() {
    StringBuilder text = new StringBuilder();
    line(text, "classes", String.join("\t", softmaxClassifier.classes()));
    line(text, "asking", String.join("\t", questionVocabulary.asking()));
    line(text, "acting", String.join("\t", questionVocabulary.acting()));
    line(text, "bias", joined(softmaxClassifier.bias()));
    for (double[] weights : softmaxClassifier.meaning()) {
      line(text, "meaning", joined(weights));
    }
    softmaxClassifier
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
   * The mean difference between the two models' weights; infinite if classes or words differ.
   * Vectors differ slightly between kinds of processors, and so do the weights.
   */
  public double distance(TrainedModel other) {
    return questionVocabulary.asking().equals(other.questionVocabulary.asking())
            && questionVocabulary.acting().equals(other.questionVocabulary.acting())
        ? softmaxClassifier.distance(other.softmaxClassifier)
        : Double.POSITIVE_INFINITY;
  }
}
