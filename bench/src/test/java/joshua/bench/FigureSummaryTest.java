package joshua.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FigureSummaryTest {
  private static final MeasuredBuild THIS =
      new MeasuredBuild(MeasuredBuild.THIS, Path.of("a"), "aaa");
  private static final MeasuredBuild OTHER =
      new MeasuredBuild(MeasuredBuild.OTHER, Path.of("b"), "bbb");

  private final List<ScenarioResult> results = new ArrayList<>();

  private void measured(int round, MeasuredBuild build, double rate, double millis) {
    results.add(
        new ScenarioResult(
            round,
            build,
            "sends",
            List.of(
                BenchmarkFigure.rate("per_second", rate),
                BenchmarkFigure.latency("p50_ms", millis)),
            0.5,
            Instant.EPOCH));
  }

  /** The medians alone would say 1.5 and 1.33; the machine was slow in the second round. */
  private void threeRounds() {
    measured(0, THIS, 1, 1);
    measured(0, OTHER, 1_000, 1_000);
    measured(1, THIS, 1_500, 2);
    measured(1, OTHER, 1_000, 4);
    measured(2, THIS, 95, 20);
    measured(2, OTHER, 100, 10);
    measured(3, THIS, 1_900, 3);
    measured(3, OTHER, 2_000, 1.5);
  }

  @Test
  void ratiosAreTakenRoundByRound() {
    threeRounds();
    assertThat(FigureSummary.of(results))
        .containsExactly(
            new FigureSummary(
                "sends",
                "per_second",
                FigureKind.RATE,
                new SampleRange(1_500, 95, 1_900),
                Optional.of(new SampleRange(1_000, 100, 2_000)),
                Optional.of(new SampleRange(0.95, 0.95, 1.5))),
            new FigureSummary(
                "sends",
                "p50_ms",
                FigureKind.LATENCY,
                new SampleRange(3, 2, 20),
                Optional.of(new SampleRange(4, 1.5, 10)),
                Optional.of(new SampleRange(0.5, 0.5, 2))));
  }

  @Test
  void ratesAreJudgedAndLatenciesAreNot() {
    threeRounds();
    List<FigureSummary> summaries = FigureSummary.of(results);
    assertThat(summaries).filteredOn(summary -> summary.isBelow(0.97)).hasSize(1);
    assertThat(summaries.getFirst().isBelow(0.97)).isTrue();
    assertThat(summaries.getFirst().isBelow(0.95)).isFalse();
  }

  @Test
  void aBuildAloneHasNoRatioAndIsNotJudged() {
    measured(1, THIS, 10, 1);
    measured(2, THIS, 30, 1);
    FigureSummary summary = FigureSummary.of(results).getFirst();
    assertThat(summary.thisBuild()).isEqualTo(new SampleRange(20, 10, 30));
    assertThat(summary.ratio()).isEmpty();
    assertThat(summary.isBelow(100)).isFalse();
  }

  @Test
  void aRoundOfOneBuildAloneIsAMistake() {
    threeRounds();
    measured(4, THIS, 1, 1);
    assertThatThrownBy(() -> FigureSummary.of(results))
        .hasMessage("4 rounds of one build, 3 of the other");
  }

  @Test
  void aFigureOfNothingIsAMistake() {
    assertThatThrownBy(() -> BenchmarkFigure.rate("per_second", 0))
        .hasMessageContaining("must be positive");
    assertThatThrownBy(() -> BenchmarkFigure.rate("per_second", Double.NaN))
        .hasMessageContaining("must be positive");
  }

  @Test
  void theTableHasAColumnForEachBuildAndIsAligned() {
    threeRounds();
    assertThat(SummaryTable.of(FigureSummary.of(results)))
        .isEqualTo(
            """
            | scenario | figure     | this build         | other build       | ratio            |
            |----------|------------|--------------------|-------------------|------------------|
            | sends    | per_second | 1,500 (95.0–1,900) | 1,000 (100–2,000) | 0.95 (0.95–1.50) |
            | sends    | p50_ms     | 3.00 (2.00–20.0)   | 4.00 (1.50–10.0)  | 0.50 (0.50–2.00) |\
            """);
  }

  @Test
  void numbersHaveThreeDigits() {
    assertThat(SummaryTable.number(123_456)).isEqualTo("123,000");
    assertThat(SummaryTable.number(99.96)).isEqualTo("100.0");
    assertThat(SummaryTable.number(0.1234)).isEqualTo("0.12");
  }

  @Test
  void jsonHasEveryRoundAndTheSummary() throws Exception {
    threeRounds();
    assertThat(results.getFirst().json().toString())
        .isEqualTo(
            """
            {"type":"result","ended_at":"1970-01-01T00:00:00Z","round":0,"warm_up":true,"build":"this",\
            "version":"aaa","scenario":"sends","load_average":0.5,"figures":{"per_second":1.0,"p50_ms":1.0}}\
            """);
    assertThat(FigureSummary.of(results).getFirst().json().toString())
        .isEqualTo(
            """
            {"type":"summary","scenario":"sends","figure":"per_second",\
            "this":{"median":1500.0,"min":95.0,"max":1900.0},\
            "other":{"median":1000.0,"min":100.0,"max":2000.0},\
            "ratio":{"median":0.95,"min":0.95,"max":1.5}}\
            """);
  }
}
