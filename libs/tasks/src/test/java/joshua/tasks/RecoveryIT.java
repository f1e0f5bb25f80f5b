package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases: who takes up what others left, and who leaves others' work alone (wire contract §4). */
final class RecoveryIT {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final TaskWork QUICK = (task, tokens) -> CrashingProcess.work(tokens);

  private static RealRedis redis;

  @TempDir Path directory;
  private final CountDownLatch go = new CountDownLatch(1);

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  private Path file() {
    return directory.resolve("fiedler_state.db");
  }

  private Object hang(Tokens tokens) throws InterruptedException {
    tokens.token("So far ");
    go.await();
    return "";
  }

  @Test
  void aStopLeavesTasksToTheNextStartWhichBeginsThemAnew() throws Exception {
    ManualTime time = new ManualTime(NOON);
    UUID id;
    try (RawListener listener = RawListener.on(redis, "mad.*")) {
      try (Stage stage =
          Stage.on(
              redis,
              file(),
              time,
              (task, tokens) -> {
                hang(tokens);
                return Stage.said("never");
              })) {
        id = stage.converse("hang");
        stage.awaitState(id, state -> state == TaskState.STREAMING);
        await().until(() -> Stage.frames(listener, id).size() == 1);
      }
      try (Stage next = Stage.on(redis, file(), time, QUICK)) {
        Task ended = next.awaitEnd(id);
        assertThat(ended.state()).isEqualTo(TaskState.COMPLETED);
        assertThat(ended.attempt()).isEqualTo(2);
        next.awaitAllTold();
        await().until(() -> Stage.frames(listener, id).getLast().path("final").asBoolean());
        List<JsonNode> frames = Stage.frames(listener, id);
        JsonNode restart = frames.get(1);
        assertThat(restart.path("restart").asBoolean()).isTrue();
        assertThat(restart.path("sequence").asInt()).isZero();
        for (int i = 1; i < frames.size(); i++) {
          assertThat(frames.get(i).path("attempt").asInt()).isEqualTo(2);
          assertThat(frames.get(i).path("sequence").asInt()).isEqualTo(i - 1);
        }
        assertThat(Stage.joined(frames)).isEqualTo(CrashingProcess.TEXT);
        JsonNode stream = next.call("get_stream", "{'task_id':'%s'}".formatted(id));
        assertThat(stream.path("attempt").asInt()).isEqualTo(2);
        assertThat(stream.path("frames").path(0).path("restart").asBoolean()).isTrue();
      }
    }
  }

  @Test
  @TriesLimit("tasks.attempts")
  void aTaskThatWasLeftTooOftenIsFailedAndSaysSo() throws Exception {
    ManualTime time = new ManualTime(NOON);
    UUID id = null;
    for (int attempt = 1; attempt <= Stage.ROOMY.attempts(); attempt++) {
      try (Stage stage =
          Stage.on(
              redis,
              file(),
              time,
              (task, tokens) -> {
                hang(tokens);
                return Stage.said("never");
              })) {
        id = attempt == 1 ? stage.converse("hang") : id;
        int expected = attempt;
        UUID task = id;
        await()
            .until(() ->
                stage.task(task).attempt() == expected
                    && stage.task(task).state() == TaskState.STREAMING);
      }
    }
    try (Stage stage = Stage.on(redis, file(), time, QUICK)) {
      Task ended = stage.awaitEnd(id);
      assertThat(ended.state()).isEqualTo(TaskState.FAILED);
      assertThat(ended.error().orElseThrow().message()).contains("service stopped while it ran");
      await().until(() -> stage.failed() == 1);
      stage.awaitAllTold();
    }
  }

  @Test
  void aLiveProcessKeepsItsTaskHoweverLongItTakes() throws Exception {
    ManualTime time = new ManualTime(NOON);
    AtomicInteger ran = new AtomicInteger();
    TaskWork counted =
        (task, tokens) -> {
          ran.incrementAndGet();
          go.await();
          return Stage.said("done");
        };
    try (Stage first = Stage.on(redis, file(), time, counted)) {
      UUID id = first.converse("long");
      first.awaitState(id, state -> state == TaskState.RUNNING);
      await().until(() -> ran.get() == 1);
      try (Stage second = Stage.on(redis, file(), time, counted)) {
        for (int i = 0; i < 20; i++) {
          time.advance(Leases.RENEWED_EVERY);
          Instant now = time.instant();
          await().until(() -> leaseUntil(first, id) >= Leases.until(now).toEpochMilli());
        }
        go.countDown();
        assertThat(second.awaitEnd(id).attempt()).isEqualTo(1);
        assertThat(ran.get()).isEqualTo(1);
      }
    }
  }

  private static long leaseUntil(Stage stage, UUID id) throws Exception {
    return stage.database.read(connection ->
        Sql.row(
                connection,
                "select lease_until from active_tasks where task_id = ?",
                row -> row.getLong(1),
                id.toString())
            .orElse(Long.MAX_VALUE));
  }

  @Test
  void whoWasOvertakenWritesAndSaysNothingMore() throws Exception {
    ManualTime slow = new ManualTime(NOON);
    ManualTime fast = new ManualTime(NOON.plus(Leases.LASTS).plusSeconds(1));
    CountDownLatch late = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    try (RawListener listener = RawListener.on(redis, "mad.*");
        Stage overtaken =
            Stage.on(
                redis,
                file(),
                slow,
                (task, tokens) -> {
                  tokens.token("So far ");
                  try {
                    late.await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                  }
                  tokens.token("too late");
                  return Stage.said("So far too late");
                })) {
      UUID id = overtaken.converse("slow");
      await().until(() -> Stage.frames(listener, id).size() == 1);
      try (Stage other = Stage.on(redis, file(), fast, QUICK)) {
        Task ended = other.awaitEnd(id);
        assertThat(ended.attempt()).isEqualTo(2);
        other.awaitAllTold();
        slow.advance(Leases.RENEWED_EVERY);
        interrupted.await();
        late.countDown();
        await().until(() -> Stage.frames(listener, id).getLast().path("final").asBoolean());
        await().until(() -> overtaken.meters.get("joshua.tasks.running").gauge().value() == 0);
        assertThat(Stage.joined(Stage.frames(listener, id))).isEqualTo(CrashingProcess.TEXT);
        assertThat(overtaken.task(id).result().orElseThrow().path("text").asText())
            .isEqualTo(CrashingProcess.TEXT);
        assertThat(listener.on("mad.stream." + id)).noneMatch(body -> body.contains("too late"));
      }
    }
  }

  @Test
  void whoWasOvertakenAndHasNotNoticedWritesNothingEither() throws Exception {
    ManualTime slow = new ManualTime(NOON);
    ManualTime fast = new ManualTime(NOON.plus(Leases.LASTS).plusSeconds(1));
    CountDownLatch late = new CountDownLatch(1);
    try (RawListener listener = RawListener.on(redis, "mad.*");
        Stage overtaken =
            Stage.on(
                redis,
                file(),
                slow,
                (task, tokens) -> {
                  tokens.token("So far ");
                  late.await();
                  tokens.token("too late");
                  new CountDownLatch(1).await();
                  return Stage.said("never");
                })) {
      UUID id = overtaken.converse("slow");
      await().until(() -> Stage.frames(listener, id).size() == 1);
      try (Stage other =
          Stage.on(
              redis,
              file(),
              fast,
              (task, tokens) -> {
                go.await();
                return CrashingProcess.work(tokens);
              })) {
        await().until(() -> other.task(id).attempt() == 2);
        late.countDown();
        await().until(() -> overtaken.meters.get("joshua.tasks.running").gauge().value() == 0);
        go.countDown();
        assertThat(other.awaitEnd(id).result().orElseThrow().path("text").asText())
            .isEqualTo(CrashingProcess.TEXT);
        other.awaitAllTold();
        assertThat(listener.on("mad.stream." + id)).noneMatch(body -> body.contains("too late"));
      }
    }
  }

  @Test
  void aCancellationElsewhereIsHeardAtTheNextRenewal() throws Exception {
    ManualTime time = new ManualTime(NOON);
    try (Stage holder =
        Stage.on(
            redis,
            file(),
            time,
            Stage.running(1, 5),
            (task, tokens) -> {
              hang(tokens);
              return Stage.said("never");
            })) {
      UUID id = holder.converse("hang");
      holder.awaitState(id, state -> state == TaskState.STREAMING);
      try (Stage other = Stage.on(redis, file(), time, QUICK)) {
        assertThat(
                other
                    .call("cancel_task", "{'task_id':'%s'}".formatted(id))
                    .path("task_status")
                    .asText())
            .isEqualTo("STREAMING");
        time.advance(Leases.RENEWED_EVERY);
        assertThat(other.awaitEnd(id).isCancelled()).isTrue();
      }
    }
  }

  @Test
  void whatWaitsInTheDatabaseIsTakenByWhoeverHasRoom() throws Exception {
    ManualTime time = new ManualTime(NOON);
    try (Stage busy =
        Stage.on(
            redis,
            file(),
            time,
            Stage.running(1, 5),
            (task, tokens) -> {
              hang(tokens);
              return Stage.said("So far ");
            })) {
      UUID first = busy.converse("first");
      busy.awaitState(first, state -> state == TaskState.STREAMING);
      UUID second = busy.converse("second");
      try (Stage other = Stage.on(redis, file(), time, QUICK)) {
        time.advance(Duration.ofSeconds(1));
        assertThat(other.awaitEnd(second).state()).isEqualTo(TaskState.COMPLETED);
      }
      go.countDown();
      busy.awaitEnd(first);
    }
  }
}
