package joshua.testing.readers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import joshua.thought.QuerySpec;
import joshua.thought.reading.TextEmbedder;
import joshua.thought.reading.TrainingPhrases;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A test of the classifier that a MAD trains on its phrases. With {@code -Djoshua.learn=true} it
 * trains and writes the result; with {@code -Djoshua.folds=5} cross-validation, which trains once
 * per fold, takes all five folds instead of the first.
 */
public final class LearningTest {
  private static final Logger log = LoggerFactory.getLogger(LearningTest.class);
  private static final int FOLDS = Integer.getInteger("joshua.folds", 1);

  private final List<QuerySpec> specs;
  private final TrainingPhrases book;
  private final List<PhraseExample> examples;

  /**
   * Reads the phrases and computes their vectors, which takes some seconds.
   *
   * @param mad the class that they lie beside
   */
  public LearningTest(Class<?> mad, List<QuerySpec> specs, TextEmbedder textEmbedder)
      throws InterruptedException {
    this.specs = specs;
    this.book = TrainingPhrases.beside(mad, specs.stream().map(QuerySpec::name).toList());
    this.examples = PhraseExample.of(book, textEmbedder);
  }

  /**
   * The distance between a newly trained model and the shipped one.
   *
   * @param shipped the shipped model's file, where a newly trained one is written
   */
  public double distance(Path shipped) throws IOException {
    List<String> trained = ModelTraining.lines(book, examples);
    if (Boolean.getBoolean("joshua.learn")) {
      Files.write(shipped, trained);
      return 0;
    }
    return ModelTraining.distance(trained, Files.readAllLines(shipped));
  }

  /** Cross-validates the phrases, once for each threshold, and logs the results. */
  public Map<Double, CrossValidation> trials(Double... thresholds) {
    Map<Double, CrossValidation> trials =
        CrossValidation.crossValidate(book, examples, specs, Arrays.asList(thresholds), FOLDS);
    trials.forEach(
        (threshold, crossValidation) -> log.info("threshold {}: {}", threshold, crossValidation));
    return trials;
  }
}
