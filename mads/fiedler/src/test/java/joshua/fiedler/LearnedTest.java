package joshua.fiedler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import joshua.embeddings.MiniLm;
import joshua.thought.QuerySpec;
import joshua.thought.reading.Embedder;
import joshua.thought.reading.Learned;
import joshua.thought.reading.Phrasebook;
import joshua.thought.reading.Trial;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * What Fiedler has learned is what its phrasings give. With {@code -Djoshua.learn=true} it learns
 * anew and writes what it learned.
 */
class LearnedTest {
  private static final Path SHIPPED =
      Path.of("src/main/resources/joshua/fiedler/phrasings/learned.tsv");

  /** Vectors differ a little between kinds of processors; a changed phrasing differs far more. */
  private static final double SAME = 0.05;

  private static final Embedder EMBEDDER =
      new MiniLm(Path.of("target", "natives").toAbsolutePath())::embed;

  private static Phrasebook book() {
    return Phrasebook.beside(
        PlainWords.class, Whitelist.SPECS.stream().map(QuerySpec::name).toList());
  }

  @Test
  void theShippedWeightsAreWhatThePhrasingsGive() throws Exception {
    Learned learned = Learned.from(book(), EMBEDDER);
    if (Boolean.getBoolean("joshua.learn")) {
      Files.writeString(SHIPPED, learned.text());
      return;
    }
    assertThat(learned.distance(Learned.beside(PlainWords.class)))
        .as("learn again with -Djoshua.learn=true")
        .isLessThan(SAME);
  }

  @Test
  void crossValidationOnThePhrasingsSaysWhatTheDocumentationSays() throws Exception {
    Map<Double, Trial> trials =
        Trial.crossValidate(
            book(), Whitelist.SPECS, EMBEDDER, List.of(0.5, 0.6, 0.7, PlainWords.THRESHOLD, 0.8));
    trials.forEach((threshold, trial) ->
        LoggerFactory.getLogger(LearnedTest.class)
            .info(
                "threshold {}: {} phrasings, right {} %, wrong {} %, passed on {} %",
                threshold,
                trial.all(),
                percent(trial.right(), trial),
                percent(trial.wrong(), trial),
                percent(trial.passedOn(), trial)));
    Trial chosen = trials.getOrDefault(PlainWords.THRESHOLD, new Trial(0, 1, 0));
    assertThat(100.0 * chosen.right() / chosen.all()).isGreaterThan(80);
    assertThat(100.0 * chosen.wrong() / chosen.all()).isLessThan(2);
  }

  private static String percent(int part, Trial trial) {
    return "%.1f".formatted(100.0 * part / trial.all());
  }
}
