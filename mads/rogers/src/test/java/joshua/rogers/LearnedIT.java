package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import joshua.embeddings.MiniLm;
import joshua.thought.QuerySpec;
import joshua.thought.reading.Learned;
import joshua.thought.reading.Phrasebook;
import joshua.thought.reading.Trial;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

/**
 * What Rogers has learned is what its phrasings give. With {@code -Djoshua.learn=true} it learns
 * anew and writes what it learned; with {@code -Djoshua.folds=5} cross-validation, which trains
 * once for each of its parts, takes all five instead of the first.
 */
@Execution(ExecutionMode.CONCURRENT)
class LearnedIT {
  private static final Path SHIPPED =
      Path.of("src/main/resources/joshua/rogers/phrasings/learned.tsv");

  /** Vectors differ a little between kinds of processors; a changed phrasing differs far more. */
  private static final double SAME = 0.05;

  private static final int FOLDS = Integer.getInteger("joshua.folds", 1);

  private static final Phrasebook BOOK =
      Phrasebook.beside(PlainWords.class, QuerySpecs.ALL.stream().map(QuerySpec::name).toList());

  private static List<Learned.Example> examples;

  @BeforeAll
  static void embed() throws InterruptedException {
    Path natives = Path.of("target", "natives").toAbsolutePath();
    examples = Learned.examples(BOOK, new MiniLm(natives, InstantSource.system())::embed);
  }

  @Test
  void theShippedWeightsAreWhatThePhrasingsGive() throws Exception {
    Learned learned = Learned.from(BOOK, examples);
    if (Boolean.getBoolean("joshua.learn")) {
      Files.writeString(SHIPPED, learned.text());
      return;
    }
    assertThat(learned.distance(Learned.beside(PlainWords.class)))
        .as("learn again with -Djoshua.learn=true")
        .isLessThan(SAME);
  }

  @Test
  void crossValidationOnThePhrasingsSaysWhatTheDocumentationSays() {
    Map<Double, Trial> trials =
        Trial.crossValidate(
            BOOK,
            examples,
            QuerySpecs.ALL,
            List.of(PlainWords.THRESHOLD, 0.55, 0.6, 0.65, 0.7),
            FOLDS);
    trials.forEach((threshold, trial) ->
        LoggerFactory.getLogger(LearnedIT.class)
            .warn(
                "threshold {}: {} phrasings, right {} %, wrong {} %, passed on {} %",
                threshold,
                trial.all(),
                percent(trial.right(), trial),
                percent(trial.wrong(), trial),
                percent(trial.passedOn(), trial)));
    Trial chosen = trials.getOrDefault(PlainWords.THRESHOLD, new Trial(0, 1, 0));
    assertThat(100.0 * chosen.right() / chosen.all()).isGreaterThan(75);
    // More than of people's questions: the phrasings have more near misses.
    assertThat(100.0 * chosen.wrong() / chosen.all()).isLessThan(3.5);
  }

  private static String percent(int part, Trial trial) {
    return "%.1f".formatted(100.0 * part / trial.all());
  }
}
