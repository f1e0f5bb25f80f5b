package joshua.fiedler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import joshua.embeddings.MiniLm;
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
class FiedlerLearnedIT {
  private static final Path SHIPPED =
      Path.of("src/main/resources/joshua/fiedler/phrasings/learned.tsv");

  /** Vectors differ a little between kinds of processors; a changed phrasing differs far more. */
  private static final double SAME = 0.05;

  private static LearningTest learningTest;

  @BeforeAll
  static void read() throws InterruptedException {
    Path natives = Path.of("target", "natives").toAbsolutePath();
    MiniLm model = new MiniLm(natives, InstantSource.system());
    learningTest = new LearningTest(FiedlerPhrasings.class, FiedlerQueries.ALL, model::embed);
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
            .trials(0.4, 0.5, FiedlerPhrasings.THRESHOLD, 0.6, 0.7)
            .get(FiedlerPhrasings.THRESHOLD);
    assertThat(chosen.percentRight()).isGreaterThan(80);
    assertThat(chosen.percentWrong()).isLessThan(2);
  }
}
