package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import joshua.embeddings.MiniLm;
import joshua.rogers.query.RogersQueries;
import joshua.testing.readers.QuestionMeasurement;
import joshua.thought.PromptReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measures how well plain language is understood, on questions that someone else wrote before there
 * were any phrasings: {@code questions/README.md}. DTR reads first, then LPPM.
 */
class RogersMeasuredIT {
  private static final Instant NOW = Instant.parse("2026-11-18T15:30:00Z");
  private static final Set<String> PARTICIPANTS =
      Set.of(
          "alice",
          "bob",
          "agent-7",
          "claude-code",
          "ci-bot",
          "nightly-report",
          "billing",
          "planner",
          "grace",
          "fiedler",
          "rogers");

  /**
   * The floor is two points below the measured value, the ceiling one question above it: on other
   * processors the vectors differ a little.
   */
  @ParameterizedTest
  @CsvSource({
    "measured.tsv, 190, 90, 1.6",
    "second.tsv, 150, 92, 1.4",
    "third.tsv, 87, 85, 2.3",
  })
  void hardlyAnAnswerIsWrong(String set, int size, double floorRight, double ceilingWrong)
      throws Exception {
    MiniLm model =
        new MiniLm(Path.of("target", "natives").toAbsolutePath(), InstantSource.system());
    PromptReader dtr = RogersPhrasings.dtr(RogersQueries.ALL, () -> PARTICIPANTS);
    PromptReader lppm =
        RogersPhrasings.lppm(
            RogersQueries.ALL,
            model::embed,
            () -> PARTICIPANTS,
            InstantSource.fixed(NOW),
            ZoneOffset.UTC);
    QuestionMeasurement measured =
        QuestionMeasurement.of(
            Path.of("questions", set), Optional.of(Path.of("questions", "later.tsv")), dtr, lppm);
    assertThat(measured.questions()).isEqualTo(size);
    assertThat(measured.percentRight()).isGreaterThanOrEqualTo(floorRight);
    assertThat(measured.percentWrong()).isLessThanOrEqualTo(ceilingWrong);
  }
}
