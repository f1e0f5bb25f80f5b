package joshua.fiedler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import joshua.embeddings.MiniLm;
import joshua.testing.readers.Lesson;
import joshua.thought.reading.Trial;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What Fiedler has learned is what its phrasings give: {@link Lesson} says how to learn anew. */
@Execution(ExecutionMode.CONCURRENT)
class LearnedIT {
  private static final Path SHIPPED =
      Path.of("src/main/resources/joshua/fiedler/phrasings/learned.tsv");

  /** Vectors differ a little between kinds of processors; a changed phrasing differs far more. */
  private static final double SAME = 0.05;

  private static Lesson lesson;

  @BeforeAll
  static void read() throws InterruptedException {
    Path natives = Path.of("target", "natives").toAbsolutePath();
    MiniLm model = new MiniLm(natives, InstantSource.system());
    lesson = new Lesson(PlainWords.class, QuerySpecs.ALL, model::embed);
  }

  @Test
  void theShippedWeightsAreWhatThePhrasingsGive() throws Exception {
    assertThat(lesson.distance(SHIPPED))
        .as("learn again with -Djoshua.learn=true")
        .isLessThan(SAME);
  }

  @Test
  void crossValidationOnThePhrasingsSaysWhatTheDocumentationSays() {
    Trial chosen =
        lesson.trials(0.4, 0.5, PlainWords.THRESHOLD, 0.6, 0.7).get(PlainWords.THRESHOLD);
    assertThat(chosen.percentRight()).isGreaterThan(80);
    assertThat(chosen.percentWrong()).isLessThan(2);
  }
}
