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
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.model.TokenSink;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.store.SqlStatements;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases: taking over abandoned tasks, and leaving others' tasks alone (wire contract §4). */
final class RecoveryIT {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final TaskWork QUICK = (task, tokenSink) -> CrashingProcess.work(tokenSink);

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

  private Object hang(TokenSink tokenSink) throws InterruptedException {
    tokenSink.token("So far ");
    go.await();
    return "";
  }

  @Test
  void aStopLeavesTasksToTheNextStartWhichBeginsThemAnew() throws Exception {
    ManualTime time = new ManualTime(NOON);
    UUID id;
    try (RawListener listener = RawListener.on(redis, "mad.*")) {
      try (TaskFixture fixture =
          TaskFixture.on(
              redis,
              file(),
              time,
              (task, tokenSink) -> {
                hang(tokenSink);
                return TaskFixture.said("never");
              })) {
        id = fixture.converse("hang");
        fixture.awaitState(id, state -> state == TaskState.STREAMING);
        await().until(() -> TaskFixture.frames(listener, id).size() == 1);
      }
      try (TaskFixture next = TaskFixture.on(redis, file(), time, QUICK)) {
        Task ended = next.awaitEnd(id);
        assertThat(ended.state()).isEqualTo(TaskState.COMPLETED);
        assertThat(ended.attempt()).isEqualTo(2);
        next.awaitAllTold();
        await().until(() -> TaskFixture.frames(listener, id).getLast().path("final").asBoolean());
        List<JsonNode> frames = TaskFixture.frames(listener, id);
        JsonNode restart = frames.get(1);
        assertThat(restart.path("restart").asBoolean()).isTrue();
        assertThat(restart.path("sequence").asInt()).isZero();
        for (int i = 1; i < frames.size(); i++) {
          assertThat(frames.get(i).path("attempt").asInt()).isEqualTo(2);
          assertThat(frames.get(i).path("sequence").asInt()).isEqualTo(i - 1);
        }
        assertThat(TaskFixture.joined(frames)).isEqualTo(CrashingProcess.TEXT);
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
    for (int attempt = 1; attempt <= TaskFixture.ROOMY.attempts(); attempt++) {
      try (TaskFixture fixture =
          TaskFixture.on(
              redis,
              file(),
              time,
              (task, tokenSink) -> {
                hang(tokenSink);
                return TaskFixture.said("never");
              })) {
        id = attempt == 1 ? fixture.converse("hang") : id;
        int expected = attempt;
        UUID task = id;
        await()
            .until(() ->
                fixture.task(task).attempt() == expected
                    && fixture.task(task).state() == TaskState.STREAMING);
      }
    }
    try (TaskFixture fixture = TaskFixture.on(redis, file(), time, QUICK)) {
      Task ended = fixture.awaitEnd(id);
      assertThat(ended.state()).isEqualTo(TaskState.FAILED);
      assertThat(ended.error().orElseThrow().message()).contains("service stopped while it ran");
      await().until(() -> fixture.failed() == 1);
      fixture.awaitAllTold();
    }
  }

  @Test
  void aLiveProcessKeepsItsTaskHoweverLongItTakes() throws Exception {
    ManualTime time = new ManualTime(NOON);
    AtomicInteger ran = new AtomicInteger();
    TaskWork counted =
        (task, tokenSink) -> {
          ran.incrementAndGet();
          go.await();
          return TaskFixture.said("done");
        };
    try (TaskFixture first = TaskFixture.on(redis, file(), time, counted)) {
      UUID id = first.converse("long");
      first.awaitState(id, state -> state == TaskState.RUNNING);
      await().until(() -> ran.get() == 1);
      try (TaskFixture second = TaskFixture.on(redis, file(), time, counted)) {
        for (int i = 0; i < 20; i++) {
          time.advance(LeaseTimes.RENEWED_EVERY);
          Instant now = time.instant();
          await().until(() -> leaseUntil(first, id) >= LeaseTimes.until(now).toEpochMilli());
        }
        go.countDown();
        assertThat(second.awaitEnd(id).attempt()).isEqualTo(1);
        assertThat(ran.get()).isEqualTo(1);
      }
    }
  }

  private static long leaseUntil(TaskFixture fixture, UUID id) throws Exception {
    return fixture.database.read(connection ->
        SqlStatements.row(
                connection,
                "select lease_until from active_tasks where task_id = ?",
                row -> row.getLong(1),
                id.toString())
            .orElse(Long.MAX_VALUE));
  }

  @Test
  void whoWasOvertakenWritesAndSaysNothingMore() throws Exception {
    ManualTime slow = new ManualTime(NOON);
    ManualTime fast = new ManualTime(NOON.plus(LeaseTimes.LASTS).plusSeconds(1));
    CountDownLatch late = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    try (RawListener listener = RawListener.on(redis, "mad.*");
        TaskFixture overtaken =
            TaskFixture.on(
                redis,
                file(),
                slow,
                (task, tokenSink) -> {
                  tokenSink.token("So far ");
                  try {
                    late.await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                  }
                  tokenSink.token("too late");
                  return TaskFixture.said("So far too late");
                })) {
      UUID id = overtaken.converse("slow");
      await().until(() -> TaskFixture.frames(listener, id).size() == 1);
      try (TaskFixture other = TaskFixture.on(redis, file(), fast, QUICK)) {
        Task ended = other.awaitEnd(id);
        assertThat(ended.attempt()).isEqualTo(2);
        other.awaitAllTold();
        slow.advance(LeaseTimes.RENEWED_EVERY);
        interrupted.await();
        late.countDown();
        await().until(() -> TaskFixture.frames(listener, id).getLast().path("final").asBoolean());
        await().until(() -> overtaken.meters.get("joshua.tasks.running").gauge().value() == 0);
        assertThat(TaskFixture.joined(TaskFixture.frames(listener, id)))
            .isEqualTo(CrashingProcess.TEXT);
        assertThat(overtaken.task(id).result().orElseThrow().path("text").asText())
            .isEqualTo(CrashingProcess.TEXT);
        assertThat(listener.on("mad.stream." + id)).noneMatch(body -> body.contains("too late"));
      }
    }
  }

  @Test
  void whoWasOvertakenAndHasNotNoticedWritesNothingEither() throws Exception {
    ManualTime slow = new ManualTime(NOON);
    ManualTime fast = new ManualTime(NOON.plus(LeaseTimes.LASTS).plusSeconds(1));
    CountDownLatch late = new CountDownLatch(1);
    try (RawListener listener = RawListener.on(redis, "mad.*");
        TaskFixture overtaken =
            TaskFixture.on(
                redis,
                file(),
                slow,
                (task, tokenSink) -> {
                  tokenSink.token("So far ");
                  late.await();
                  tokenSink.token("too late");
                  new CountDownLatch(1).await();
                  return TaskFixture.said("never");
                })) {
      UUID id = overtaken.converse("slow");
      await().until(() -> TaskFixture.frames(listener, id).size() == 1);
      try (TaskFixture other =
          TaskFixture.on(
              redis,
              file(),
              fast,
              (task, tokenSink) -> {
                go.await();
                return CrashingProcess.work(tokenSink);
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
    try (TaskFixture holder =
        TaskFixture.on(
            redis,
            file(),
            time,
            TaskFixture.running(1, 5),
            (task, tokenSink) -> {
              hang(tokenSink);
              return TaskFixture.said("never");
            })) {
      UUID id = holder.converse("hang");
      holder.awaitState(id, state -> state == TaskState.STREAMING);
      try (TaskFixture other = TaskFixture.on(redis, file(), time, QUICK)) {
        assertThat(
                other
                    .call("cancel_task", "{'task_id':'%s'}".formatted(id))
                    .path("task_status")
                    .asText())
            .isEqualTo("STREAMING");
        time.advance(LeaseTimes.RENEWED_EVERY);
        assertThat(other.awaitEnd(id).isCancelled()).isTrue();
      }
    }
  }

  @Test
  void whatWaitsInTheDatabaseIsTakenByWhoeverHasRoom() throws Exception {
    ManualTime time = new ManualTime(NOON);
    try (TaskFixture busy =
        TaskFixture.on(
            redis,
            file(),
            time,
            TaskFixture.running(1, 5),
            (task, tokenSink) -> {
              hang(tokenSink);
              return TaskFixture.said("So far ");
            })) {
      UUID first = busy.converse("first");
      busy.awaitState(first, state -> state == TaskState.STREAMING);
      UUID second = busy.converse("second");
      try (TaskFixture other = TaskFixture.on(redis, file(), time, QUICK)) {
        time.advance(Duration.ofSeconds(1));
        assertThat(other.awaitEnd(second).state()).isEqualTo(TaskState.COMPLETED);
      }
      go.countDown();
      busy.awaitEnd(first);
    }
  }
}
