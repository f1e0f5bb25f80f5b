package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The short form of {@code bench/run}, on the program that was built. */
@Tag("alone")
final class BenchmarkIT {
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(4);

  private static final Map<String, List<String>> FIGURES =
      Map.of(
          "websocket_sends", List.of("sends_per_second", "answer_p50_ms", "answer_p99_ms"),
          "mcp_calls",
              List.of(
                  "calls_per_second", "send_p50_ms", "send_p99_ms", "poll_p50_ms", "poll_p99_ms"),
          "tasks",
              List.of(
                  "tasks_per_second",
                  "accepted_p50_ms",
                  "accepted_p99_ms",
                  "completed_p50_ms",
                  "completed_p99_ms"),
          "rogers_count", List.of("messages_per_second"));

  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void close() {
    environment.close();
  }

  /** The script in an installation that has been built, so that it doesn't build there. */
  private ProgramRun bench(String... words) throws Exception {
    Path program = TestRequirements.program("bash", "which bench/run is written for");
    Path house = HouseLauncher.house(environment).getParent();
    Path script = house.resolve("bench/run");
    if (!Files.exists(script)) {
      Files.createDirectories(script.getParent());
      Files.copy(BuiltProgram.HOME.resolve("bench/run"), script);
      Files.createSymbolicLink(
          house.resolve("bench/target"), BuiltProgram.HOME.resolve("bench/target"));
      Files.createFile(house.resolve("target/launcher/bench-built"));
    }
    return HouseLauncher.start(
        environment,
        Stream.concat(Stream.of(program.toString(), script.toString()), Stream.of(words)).toList());
  }

  @Test
  void aBuildInTurnWithItselfHasAllFiguresAndLeavesNothingRunning() throws Exception {
    Path json = environment.path().resolve("figures.json");
    Path house = HouseLauncher.house(environment).getParent();
    ProgramRun programRun =
        bench(
            "--quick", "--against", house.toString(), "--at-least", "0", "--json", json.toString());
    assertThat(programRun.exitStatus(ENDS_WITHIN)).as(programRun::toString).isZero();

    List<JsonNode> lines = Files.readAllLines(json).stream().map(FrameSocketClient::parse).toList();
    List<JsonNode> results = ofType("result", lines);
    assertThat(results)
        .extracting(line -> line.path("build").asText() + " " + line.path("scenario").asText())
        .containsExactly(
            "this websocket_sends",
            "this mcp_calls",
            "this tasks",
            "this rogers_count",
            "other websocket_sends",
            "other mcp_calls",
            "other tasks",
            "other rogers_count");
    for (JsonNode result : results) {
      JsonNode figures = result.path("figures");
      List<String> names = FIGURES.get(result.path("scenario").asText());
      assertThat(figures.properties())
          .extracting(Map.Entry::getKey)
          .containsExactlyElementsOf(names);
      assertThat(figures).allSatisfy(value -> assertThat(value.asDouble()).isPositive());
    }
    for (JsonNode summary : ofType("summary", lines)) {
      String figure = summary.path("figure").asText();
      double mine = summary.at("/this/median").asDouble();
      double others = summary.at("/other/median").asDouble();
      assertThat(summary.at("/ratio/median").asDouble())
          .as(figure)
          .isEqualTo(figure.endsWith("_ms") ? others / mine : mine / others);
      assertThat(programRun.out()).contains("| " + figure);
    }
    assertThat(programRun.out()).containsPattern("\\d+ processors, load average \\d+\\.\\d");
    assertThat(environment.processes().stream().filter(line -> line.contains("joshua.jar")))
        .isEmpty();
  }

  @Test
  void aRatioThatIsTooLowIsExitStatus1() throws Exception {
    Path house = HouseLauncher.house(environment).getParent();
    ProgramRun programRun =
        bench(
            "--quick",
            "--scenario",
            "mcp_calls",
            "--against",
            house.toString(),
            "--at-least",
            "1000");
    assertThat(programRun.exitStatus(ENDS_WITHIN)).as(programRun::toString).isEqualTo(1);
    assertThat(programRun.out()).contains("mcp_calls: the ratio of calls_per_second is below 1000");
  }

  @Test
  void whatCannotBeMeasuredIsSaidInASentence() throws Exception {
    ProgramRun unknown = bench("--quick", "--against", "no-such-commit");
    assertThat(unknown.exitStatus(ENDS_WITHIN)).isEqualTo(3);
    assertThat(unknown.err()).contains("\"no-such-commit\" is neither a directory nor anything");

    ProgramRun elsewhere = bench("--quick", "--build", environment.path().toString());
    assertThat(elsewhere.exitStatus(ENDS_WITHIN)).isEqualTo(3);
    assertThat(elsewhere.err()).contains("is no checkout of Joshua");

    ProgramRun misspelt = bench("--quick", "--scenario", "websockets");
    assertThat(misspelt.exitStatus(ENDS_WITHIN)).isEqualTo(3);
    assertThat(misspelt.err()).contains("There is no scenario \"websockets\", but websocket_sends");
  }

  private static List<JsonNode> ofType(String type, List<JsonNode> lines) {
    return lines.stream().filter(line -> line.path("type").asText().equals(type)).toList();
  }
}
