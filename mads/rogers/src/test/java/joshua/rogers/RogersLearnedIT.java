package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import joshua.embeddings.MiniLm;
import joshua.rogers.query.RogersQueries;
import joshua.testing.readers.CrossValidation;
import joshua.testing.readers.LearningTest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Checks that the learned file matches the phrasings: {@link LearningTest} says how to train again.
 */
@Execution(ExecutionMode.CONCURRENT)
class RogersLearnedIT {
  private static final Path SHIPPED =
      Path.of("src/main/resources/joshua/rogers/phrasings/learned.tsv");

  /** Vectors differ a little between kinds of processors; a changed phrasing differs far more. */
  private static final double SAME = 0.05;

  private static LearningTest learningTest;

  @BeforeAll
  static void read() throws InterruptedException {
    Path natives = Path.of("target", "natives").toAbsolutePath();
    MiniLm model = new MiniLm(natives, InstantSource.system());
    learningTest = new LearningTest(RogersPhrasings.class, RogersQueries.ALL, model::embed);
  }

  @Test
  void theShippedWeightsAreWhatThePhrasingsGive() throws Exception {
    assertThat(learningTest.distance(SHIPPED))
        .as("learn again with -Djoshua.learn=true")
        .isLessThan(SAME);
  }

  @Test
  void crossValidationOnThePhrasingsSaysWhatTheDocumentationSays() {
    CrossValidation chosen =
        learningTest
            .trials(RogersPhrasings.THRESHOLD, 0.55, 0.6, 0.65, 0.7)
            .get(RogersPhrasings.THRESHOLD);
    assertThat(chosen.percentRight()).isGreaterThan(75);
    // More than of people's questions: the phrasings have more near misses.
    assertThat(chosen.percentWrong()).isLessThan(3.5);
  }
}
