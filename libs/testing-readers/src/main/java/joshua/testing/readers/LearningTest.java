package joshua.testing.readers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import joshua.thought.QuerySpec;
import joshua.thought.reading.CrossValidation;
import joshua.thought.reading.TextEmbedder;
import joshua.thought.reading.TrainedModel;
import joshua.thought.reading.TrainingPhrases;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a MAD learns from its phrasings. With {@code -Djoshua.learn=true} it learns anew and writes
 * what it learned; with {@code -Djoshua.folds=5} cross-validation, which trains once for each of
 * its parts, takes all five instead of the first.
 */
public final class LearningTest {
  private static final Logger log = LoggerFactory.getLogger(LearningTest.class);
  private static final int FOLDS = Integer.getInteger("joshua.folds", 1);

  private final Class<?> mad;
  private final List<QuerySpec> specs;
  private final TrainingPhrases book;
  private final List<TrainedModel.Example> examples;

  /**
   * Reads the phrasings, which takes their vectors, some seconds.
   *
   * @param mad the class that they stand beside
   */
  public LearningTest(Class<?> mad, List<QuerySpec> specs, TextEmbedder textEmbedder)
      throws InterruptedException {
    this.mad = mad;
    this.specs = specs;
    this.book = TrainingPhrases.beside(mad, specs.stream().map(QuerySpec::name).toList());
    this.examples = TrainedModel.examples(book, textEmbedder);
  }

  /**
   * How far what the phrasings give is from what is shipped.
   *
   * @param shipped where what it learns anew is written
   */
  public double distance(Path shipped) throws IOException {
    TrainedModel trainedModel = TrainedModel.from(book, examples);
    if (Boolean.getBoolean("joshua.learn")) {
      Files.writeString(shipped, trainedModel.text());
      return 0;
    }
    return trainedModel.distance(TrainedModel.beside(mad));
  }

  /** Judges each phrasing by what the others teach, once for each threshold, and logs it. */
  public Map<Double, CrossValidation> trials(Double... thresholds) {
    Map<Double, CrossValidation> trials =
        CrossValidation.crossValidate(book, examples, specs, Arrays.asList(thresholds), FOLDS);
    trials.forEach(
        (threshold, crossValidation) -> log.info("threshold {}: {}", threshold, crossValidation));
    return trials;
  }
}
