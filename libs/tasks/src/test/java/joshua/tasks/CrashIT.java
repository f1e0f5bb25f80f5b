package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that dies at each named point, and another that takes up what it left (wire contract
 * §4).
 */
final class CrashIT {
  private static RealRedis redis;

  @TempDir Path directory;

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @ParameterizedTest
  @EnumSource(Point.class)
  void whateverWasAcceptedEndsAndIsToldAsOneMessage(Point point) throws Exception {
    Path file = directory.resolve("fiedler_state.db");
    try (RawListener listener = RawListener.on(redis, "mad.*")) {
      assertThat(crashAt(point, file)).isEqualTo(CrashingProcess.STATUS);
      // The clock is moved past the lease of the process that died.
      ManualTime time = new ManualTime(Instant.now().plus(Leases.LASTS).plusSeconds(1));
      try (Stage stage =
          Stage.on(redis, file, time, (task, tokens) -> CrashingProcess.work(tokens))) {
        List<TaskSummary> tasks =
            stage.tasks.list(
                new TaskFilter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    10));
        if (point == Point.ASKED) {
          assertThat(tasks).isEmpty();
          return;
        }
        assertThat(tasks).hasSize(1);
        Task ended = stage.awaitEnd(tasks.getFirst().id());
        stage.awaitAllTold();
        assertThat(ended.state()).isEqualTo(TaskState.COMPLETED);
        assertThat(ended.result().orElseThrow().path("text").asText())
            .isEqualTo(CrashingProcess.TEXT);
        await().until(() -> !ofTask(listener, ended).isEmpty());
        // One id, however often it was sent.
        assertThat(ofTask(listener, ended)).hasSize(1);
        List<JsonNode> frames = Stage.frames(listener, ended.id());
        assertThat(Stage.joined(frames)).isEqualTo(CrashingProcess.TEXT);
        JsonNode last = frames.getLast();
        assertThat(last.path("final").asBoolean()).isTrue();
        assertThat(frames.stream().filter(frame -> frame.path("final").asBoolean())).hasSize(1);
        boolean again = ended.attempt() > 1;
        assertThat(frames.stream().filter(frame -> frame.has("restart"))).hasSize(again ? 1 : 0);
        // While a frame is published the end may be kept already, or not; and what is durable may
        // be
        // claimed already while its acceptance is told.
        if (point != Point.FRAME_PUBLISHED && point != Point.ACCEPTED) {
          assertThat(again)
              .isEqualTo(
                  point.compareTo(Point.CLAIMED) >= 0 && point.compareTo(Point.OUTCOME_KEPT) < 0);
        }
      }
    }
  }

  private static List<JsonNode> ofTask(RawListener listener, Task task) {
    return Stage.payloads(listener, "mad.direct.ann").stream()
        .filter(payload -> payload.path("task_id").asText().equals(task.id().toString()))
        .toList();
  }

  private static int crashAt(Point point, Path file) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingProcess.class.getName(),
                Integer.toString(redis.port()),
                redis.password(),
                file.toString(),
                point.name())
            .inheritIO()
            .start();
    if (!process.waitFor(Duration.ofSeconds(60).toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("it never came to " + point);
    }
    return process.exitValue();
  }
}
