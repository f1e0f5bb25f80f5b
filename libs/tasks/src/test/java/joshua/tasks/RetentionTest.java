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

  private TaskFixture stage(TasksConfig config) throws Exception {
    return TaskFixture.on(
        redis,
        directory.resolve("fiedler_state.db"),
        time,
        config,
        (task, tokenSink) -> TaskFixture.said("ok"));
  }

  @Test
  void oldTasksAreDeletedAndNoOthers() throws Exception {
    try (TaskFixture fixture = stage(TaskFixture.ROOMY)) {
      UUID old = fixture.converse("old");
      fixture.awaitEnd(old);
      fixture.awaitAllTold();
      time.advance(TaskFixture.ROOMY.retention().minusHours(1));
      UUID young = fixture.converse("young");
      fixture.awaitEnd(young);
      time.advance(Duration.ofMinutes(2));
      assertThat(fixture.tasks.find(old)).isPresent();
      time.advance(Duration.ofHours(2));
      await().until(() -> fixture.tasks.find(old).isEmpty());
      assertThat(fixture.tasks.find(young)).isPresent();
      assertThat(fixture.tasks.stream(old, 0)).isEmpty();
    }
  }

  @Test
  @TriesLimit("tasks.store")
  void tasksThatEndedLongestAgoAreDeletedWhenAllTakeTooMuch() throws Exception {
    String prompt = "x".repeat(60 * 1024);
    try (TaskFixture fixture = stage(TaskFixture.storeBytes(1 << 20))) {
      UUID first = fixture.converse("first " + prompt);
      fixture.awaitEnd(first);
      UUID last = first;
      for (int i = 0; i < 20; i++) {
        last = fixture.converse(i + prompt);
        fixture.awaitEnd(last);
      }
      fixture.awaitAllTold();
      assertThat(fixture.tasks.find(first)).isPresent();
      time.advance(Duration.ofSeconds(6));
      await().until(() -> fixture.tasks.find(first).isEmpty());
    }
  }
}
