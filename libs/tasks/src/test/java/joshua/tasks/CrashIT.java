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
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskSummary;
import joshua.tasks.store.CrashPoint;
import joshua.tasks.store.LeaseTimes;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that dies at each crash point, and another that takes over its task (wire contract §4).
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
  @EnumSource(CrashPoint.class)
  void whateverWasAcceptedEndsAndIsToldAsOneMessage(CrashPoint crashPoint) throws Exception {
    Path file = directory.resolve("fiedler_state.db");
    try (RawListener listener = RawListener.on(redis, "mad.*")) {
      assertThat(crashAt(crashPoint, file)).isEqualTo(CrashingProcess.STATUS);
      // The clock is moved past the lease of the process that died.
      ManualTime time = new ManualTime(Instant.now().plus(LeaseTimes.LASTS).plusSeconds(1));
      try (TaskFixture fixture =
          TaskFixture.on(redis, file, time, (task, tokenSink) -> CrashingProcess.work(tokenSink))) {
        List<TaskSummary> tasks =
            fixture.tasks.list(
                new TaskFilter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    10));
        if (crashPoint == CrashPoint.ASKED) {
          assertThat(tasks).isEmpty();
          return;
        }
        assertThat(tasks).hasSize(1);
        Task ended = fixture.awaitEnd(tasks.getFirst().id());
        fixture.awaitAllTold();
        assertThat(ended.state()).isEqualTo(TaskState.COMPLETED);
        assertThat(ended.result().orElseThrow().path("text").asText())
            .isEqualTo(CrashingProcess.TEXT);
        await().until(() -> !ofTask(listener, ended).isEmpty());
        // One id, however often it was sent.
        assertThat(ofTask(listener, ended)).hasSize(1);
        List<JsonNode> frames = TaskFixture.frames(listener, ended.id());
        assertThat(TaskFixture.joined(frames)).isEqualTo(CrashingProcess.TEXT);
        JsonNode last = frames.getLast();
        assertThat(last.path("final").asBoolean()).isTrue();
        assertThat(frames.stream().filter(frame -> frame.path("final").asBoolean())).hasSize(1);
        boolean again = ended.attempt() > 1;
        assertThat(frames.stream().filter(frame -> frame.has("restart"))).hasSize(again ? 1 : 0);
        // While a frame is published the end may be stored already, or not; and a durable task may
        // be claimed already while its acceptance is being sent.
        if (crashPoint != CrashPoint.FRAME_PUBLISHED && crashPoint != CrashPoint.ACCEPTED) {
          assertThat(again)
              .isEqualTo(
                  crashPoint.compareTo(CrashPoint.CLAIMED) >= 0
                      && crashPoint.compareTo(CrashPoint.OUTCOME_KEPT) < 0);
        }
      }
    }
  }

  private static List<JsonNode> ofTask(RawListener listener, Task task) {
    return TaskFixture.payloads(listener, "mad.direct.ann").stream()
        .filter(payload -> payload.path("task_id").asText().equals(task.id().toString()))
        .toList();
  }

  private static int crashAt(CrashPoint crashPoint, Path file) throws Exception {
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
                crashPoint.name())
            .inheritIO()
            .start();
    if (!process.waitFor(Duration.ofSeconds(60).toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("it never came to " + crashPoint);
    }
    return process.exitValue();
  }
}
