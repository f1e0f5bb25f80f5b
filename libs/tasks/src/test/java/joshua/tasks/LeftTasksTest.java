package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.state.Database;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskState;
import joshua.tasks.store.LeaseStore;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.store.SqlStatements;
import joshua.tasks.store.TaskSchema;
import joshua.tasks.store.TaskStore;
import joshua.tasks.worker.TaskManager;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Abandoned tasks of a dead service when others already wait: the next service has no free slot for
 * them (wire contract §4).
 */
final class LeftTasksTest {
  private static RealRedis redis;

  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final Semaphore ends = new Semaphore(0);

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  /** One task at a time, which lasts until it may end. */
  private TaskFixture stage() throws Exception {
    return TaskFixture.on(
        redis,
        directory.resolve("fiedler_state.db"),
        time,
        TaskFixture.running(1, 100),
        (task, tokenSink) -> {
          begun.add(task.prompt());
          ends.acquire();
          return TaskFixture.said("done");
        });
  }

  /** A task whose holder no longer exists. */
  private UUID left(boolean cancelled) throws Exception {
    UUID id = BusIdentifiers.uuid7(time);
    TaskRequest request =
        new TaskRequest(
            TaskManager.CONVERSE,
            "left",
            Json.object(),
            "ann",
            Optional.empty(),
            UUID.randomUUID(),
            Optional.empty());
    try (Database database =
        Database.open(
            directory.resolve("fiedler_state.db"), TaskSchema.alone(), new SimpleMeterRegistry())) {
      TaskStore store = new TaskStore(database);
      assertThat(store.accept(id, request, time.instant(), 100))
          .isInstanceOf(AcceptanceResult.Accepted.class);
      assertThat(new LeaseStore(database, "dead").take(Set.of(), time.instant(), 2, 1).held())
          .hasSize(1);
      if (cancelled) {
        var _ = store.cancel(id, "ann", time.instant());
      }
    }
    return id;
  }

  @Test
  void theyGoBeforeAllThatWaitsOnceTheirLeasesHaveEnded() throws Exception {
    UUID left = left(false);
    try (TaskFixture fixture = stage()) {
      for (int i = 1; i <= 3; i++) {
        fixture.converse("waiting " + i);
      }
      await().until(() -> begun.size() == 1);
      time.advance(LeaseTimes.LASTS);
      ends.release();
      await().until(() -> begun.size() == 2);
      assertThat(begun).containsExactly("waiting 1", "left");
      ends.release(3);
      fixture.awaitAllTold();
      assertThat(begun).containsExactly("waiting 1", "left", "waiting 2", "waiting 3");
      assertThat(fixture.task(left).state()).isEqualTo(TaskState.COMPLETED);
      assertThat(fixture.task(left).attempt()).isEqualTo(2);
    }
  }

  @Test
  void whoWaitsForTheStreamFurtherOnLearnsOfTheNextAttemptAtOnce() throws Exception {
    UUID left = left(false);
    try (TaskFixture fixture = stage()) {
      time.advance(LeaseTimes.LASTS);
      await().until(() -> begun.size() == 1);
      JsonNode answer =
          assertTimeout(
              Duration.ofSeconds(10),
              () ->
                  fixture.call(
                      "get_stream",
                      "{'task_id':'%s','from_sequence':5,'wait_ms':25000}".formatted(left)));
      assertThat(answer.path("attempt").asInt()).isEqualTo(2);
      assertThat(answer.path("frames")).isEmpty();
      assertThat(answer.path("final").asBoolean()).isFalse();
      ends.release();
    }
  }

  @Test
  void oneThatIsNotToBeBegunAgainEndsThoughNoPlaceIsFree() throws Exception {
    UUID left = left(true);
    try (TaskFixture fixture = stage()) {
      UUID busy = fixture.converse("busy");
      await().until(() -> begun.size() == 1);
      time.advance(LeaseTimes.LASTS);
      assertThat(fixture.awaitEnd(left).isCancelled()).isTrue();
      fixture.awaitAllToldBut(busy);
      assertThat(fixture.failed()).isEqualTo(1);
      ends.release();
    }
  }

  @Test
  void oneThatCannotBeReadKeepsNobodyWaiting() throws Exception {
    UUID left = left(false);
    try (TaskFixture fixture = stage()) {
      fixture.database.write(connection ->
          SqlStatements.change(
              connection,
              "update tasks set correlation_id = 'no id' where task_id = ?",
              left.toString()));
      ends.release(3);
      time.advance(LeaseTimes.LASTS);
      fixture.awaitEnd(fixture.converse("behind it"));
      await()
          .until(() -> {
            time.advance(LeaseTimes.RENEWED_EVERY);
            return fixture.tasks.problem().isPresent();
          });
      assertThat(fixture.tasks.problem().orElseThrow())
          .startsWith("Tasks that were left aren't taken over since 2026-01-31T12:00:");
      fixture.database.write(connection ->
          SqlStatements.change(
              connection,
              "update tasks set correlation_id = ? where task_id = ?",
              UUID.randomUUID().toString(),
              left.toString()));
      time.advance(LeaseTimes.RENEWED_EVERY);
      assertThat(fixture.awaitEnd(left).state()).isEqualTo(TaskState.COMPLETED);
      await().until(() -> fixture.tasks.problem().isEmpty());
    }
  }
}
