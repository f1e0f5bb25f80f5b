package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When tasks that have ended are deleted, and which. */
final class RetentionTest {
  private static RealRedis redis;

  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  private Stage stage(TasksConfig config) throws Exception {
    return Stage.on(
        redis,
        directory.resolve("fiedler_state.db"),
        time,
        config,
        (task, tokens) -> Stage.said("ok"));
  }

  @Test
  void oldTasksAreDeletedAndNoOthers() throws Exception {
    try (Stage stage = stage(Stage.ROOMY)) {
      UUID old = stage.converse("old");
      stage.awaitEnd(old);
      stage.awaitAllTold();
      time.advance(Stage.ROOMY.retention().minusHours(1));
      UUID young = stage.converse("young");
      stage.awaitEnd(young);
      time.advance(Duration.ofMinutes(2));
      assertThat(stage.tasks.find(old)).isPresent();
      time.advance(Duration.ofHours(2));
      await().until(() -> stage.tasks.find(old).isEmpty());
      assertThat(stage.tasks.find(young)).isPresent();
      assertThat(stage.tasks.stream(old, 0)).isEmpty();
    }
  }

  @Test
  @TriesLimit("tasks.store")
  void tasksThatEndedLongestAgoAreDeletedWhenAllTakeTooMuch() throws Exception {
    String prompt = "x".repeat(60 * 1024);
    try (Stage stage = stage(Stage.storeBytes(1 << 20))) {
      UUID first = stage.converse("first " + prompt);
      stage.awaitEnd(first);
      UUID last = first;
      for (int i = 0; i < 20; i++) {
        last = stage.converse(i + prompt);
        stage.awaitEnd(last);
      }
      stage.awaitAllTold();
      assertThat(stage.tasks.find(first)).isPresent();
      time.advance(Duration.ofSeconds(6));
      await().until(() -> stage.tasks.find(first).isEmpty());
    }
  }
}
