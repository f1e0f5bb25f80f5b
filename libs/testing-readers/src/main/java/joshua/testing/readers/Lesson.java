package joshua.testing.readers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import joshua.thought.QuerySpec;
import joshua.thought.reading.Embedder;
import joshua.thought.reading.Learned;
import joshua.thought.reading.Phrasebook;
import joshua.thought.reading.Trial;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a MAD learns from its phrasings. With {@code -Djoshua.learn=true} it learns anew and writes
 * what it learned; with {@code -Djoshua.folds=5} cross-validation, which trains once for each of
 * its parts, takes all five instead of the first.
 */
public final class Lesson {
  private static final Logger log = LoggerFactory.getLogger(Lesson.class);
  private static final int FOLDS = Integer.getInteger("joshua.folds", 1);

  private final Class<?> mad;
  private final List<QuerySpec> specs;
  private final Phrasebook book;
  private final List<Learned.Example> examples;

  /**
   * Reads the phrasings, which takes their vectors, some seconds.
   *
   * @param mad the class that they stand beside
   */
  public Lesson(Class<?> mad, List<QuerySpec> specs, Embedder embedder)
      throws InterruptedException {
    this.mad = mad;
    this.specs = specs;
    this.book = Phrasebook.beside(mad, specs.stream().map(QuerySpec::name).toList());
    this.examples = Learned.examples(book, embedder);
  }

  /**
   * How far what the phrasings give is from what is shipped.
   *
   * @param shipped where what it learns anew is written
   */
  public double distance(Path shipped) throws IOException {
    Learned learned = Learned.from(book, examples);
    if (Boolean.getBoolean("joshua.learn")) {
      Files.writeString(shipped, learned.text());
      return 0;
    }
    return learned.distance(Learned.beside(mad));
  }

  /** Judges each phrasing by what the others teach, once for each threshold, and logs it. */
  public Map<Double, Trial> trials(Double... thresholds) {
    Map<Double, Trial> trials =
        Trial.crossValidate(book, examples, specs, Arrays.asList(thresholds), FOLDS);
    trials.forEach((threshold, trial) -> log.info("threshold {}: {}", threshold, trial));
    return trials;
  }
}
