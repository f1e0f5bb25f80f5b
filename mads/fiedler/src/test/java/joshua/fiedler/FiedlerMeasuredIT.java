package joshua.fiedler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Set;
import joshua.embeddings.MiniLm;
import joshua.testing.readers.QuestionMeasurement;
import joshua.thought.PromptReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measures how well plain language is understood, on questions by people who had seen no phrasing:
 * {@code questions/README.md}. DTR reads first, then LPPM.
 */
class FiedlerMeasuredIT {
  private static final Instant NOW = Instant.parse("2026-11-18T15:30:00Z");
  private static final Set<String> PARTICIPANTS =
      Set.of("alice", "bob", "agent-7", "claude-code", "ci-bot", "nightly-report");

  /**
   * The floor is two points below the measured value, the ceiling one question above it: on other
   * processors the vectors differ a little.
   */
  @ParameterizedTest
  @CsvSource({"measured.tsv, 190, 84, 1.1", "second.tsv, 150, 92, 2.1"})
  void hardlyAnAnswerIsWrong(String set, int size, double floorRight, double ceilingWrong)
      throws Exception {
    MiniLm model =
        new MiniLm(Path.of("target", "natives").toAbsolutePath(), InstantSource.system());
    PromptReader dtr = FiedlerPhrasings.dtr(FiedlerQueries.ALL);
    PromptReader lppm =
        FiedlerPhrasings.lppm(
            FiedlerQueries.ALL,
            model::embed,
            () -> PARTICIPANTS,
            InstantSource.fixed(NOW),
            ZoneOffset.UTC);
    QuestionMeasurement measured = QuestionMeasurement.of(Path.of("questions", set), dtr, lppm);
    assertThat(measured.questions()).isEqualTo(size);
    assertThat(measured.percentRight()).isGreaterThanOrEqualTo(floorRight);
    assertThat(measured.percentWrong()).isLessThanOrEqualTo(ceilingWrong);
  }
}
