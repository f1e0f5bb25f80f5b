package joshua.tasks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.BusIdentifiers;
import joshua.tasks.TaskFixture;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.store.SqlStatements;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bugs in the service itself: they are reported, and stop nothing for good. */
final class FailureTrackerTest {
  private static RealRedis redis;

  /** The number of concurrent reads of a database. */
  private static final int READERS = 4;

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

  private TaskFixture stage(TaskWork work) throws Exception {
    return TaskFixture.on(redis, directory.resolve("fiedler_state.db"), time, work);
  }

  private static void change(TaskFixture fixture, String sql, Object... parameters)
      throws Exception {
    fixture.database.write(connection -> SqlStatements.change(connection, sql, parameters));
  }

  private static long leaseUntil(TaskFixture fixture, UUID id) throws Exception {
    return fixture.database.write(connection ->
        SqlStatements.row(
                connection,
                "select lease_until from active_tasks where task_id = ?",
                row -> row.getLong(1),
                id.toString())
            .orElseThrow());
  }

  @Test
  void aRenewalThatFailedIsTriedAgainSoon() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    InstantSource counted =
        () -> {
          looks.incrementAndGet();
          return time.instant();
        };
    try (TaskFixture fixture =
        TaskFixture.on(
            redis,
            directory.resolve("fiedler_state.db"),
            counted,
            (task, tokenSink) -> {
              new CountDownLatch(1).await();
              return TaskFixture.said("never");
            })) {
      UUID id = fixture.converse("long");
      fixture.awaitState(id, state -> state == TaskState.RUNNING);
      change(
          fixture,
          """
          create trigger none_is_renewed before update of lease_until on active_tasks
          begin
            select raise(abort, 'not now');
          end
          """);
      time.advance(LeaseTimes.RENEWED_EVERY);
      Instant due = time.instant();
      int before = looks.get();
      await().until(() -> looks.get() > before + 20);
      change(fixture, "drop trigger none_is_renewed");
      // A failed task is retried a second later; one that wasn't tried yet, at once.
      time.advance(Duration.ofSeconds(1));
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> {
            time.advance(Duration.ofMillis(5));
            return leaseUntil(fixture, id) >= LeaseTimes.until(due).toEpochMilli();
          });
      assertThat(time.instant()).isBefore(due.plus(LeaseTimes.RENEWED_EVERY));
    }
  }

  @Test
  void leasesAreRenewedAndTasksTakenWhileAllWhoReadAreBusy() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    CountDownLatch allBusy = new CountDownLatch(READERS);
    TaskWork endless =
        (task, tokenSink) -> {
          new CountDownLatch(1).await();
          return TaskFixture.said("never");
        };
    try (TaskFixture fixture = stage(endless);
        ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
      UUID first = fixture.converse("first");
      fixture.awaitState(first, state -> state == TaskState.RUNNING);
      for (int i = 0; i < READERS; i++) {
        var _ =
            readers.submit(() ->
                fixture.database.read(connection -> {
                  allBusy.countDown();
                  try {
                    return slow.await(1, TimeUnit.MINUTES);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }));
      }
      try {
        allBusy.await();
        for (int i = 0; i < 3; i++) {
          time.advance(LeaseTimes.RENEWED_EVERY);
          awaitRenewed(fixture, first);
        }
        awaitRenewed(fixture, fixture.converse("second"));
      } finally {
        slow.countDown();
      }
    }
  }

  private void awaitRenewed(TaskFixture fixture, UUID id) {
    long renewed = LeaseTimes.until(time.instant()).toEpochMilli();
    await().atMost(Duration.ofSeconds(20)).until(() -> leaseUntil(fixture, id) >= renewed);
  }

  @Test
  void whoSetsTheClockEndsNoTaskAndKeepsNoLeaseFromBeingRenewed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    TaskWork endless =
        (task, tokenSink) -> {
          begun.countDown();
          new CountDownLatch(1).await();
          return TaskFixture.said("never");
        };
    try (TaskFixture fixture =
        TaskFixture.setting(redis, directory.resolve("fiedler_state.db"), time, endless)) {
      UUID id = fixture.converse("long");
      // A task is RUNNING in the database before the lease renewal knows its run.
      begun.await();
      for (Duration on : List.of(Duration.ofHours(2), Duration.ofHours(-3))) {
        time.put(on);
        time.advance(LeaseTimes.RENEWED_EVERY);
        long renewed = LeaseTimes.until(time.instant()).toEpochMilli();
        await().atMost(Duration.ofSeconds(20)).until(() -> leaseUntil(fixture, id) == renewed);
        assertThat(fixture.task(id).state()).isEqualTo(TaskState.RUNNING);
      }
    }
  }

  /** A waiting task that this build can't read. */
  private UUID spoiled(TaskFixture fixture) throws Exception {
    UUID id = BusIdentifiers.uuid7(time);
    change(
        fixture,
        """
        insert into tasks (task_id, status, requester_id, prompt, created_at, updated_at, kind,
          input, conversation_id, correlation_id, input_digest)
        values (?1, 'PENDING', 'ann', 'x', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z',
          'converse', '{}', ?1, 'no id', '')
        """,
        id.toString());
    change(
        fixture, "insert into active_tasks (task_id, stage) values (?, 'WAITING')", id.toString());
    return id;
  }

  @Test
  void aTaskThatCannotBeReadEndsTheTakingOfOthersNotForGood() throws Exception {
    try (TaskFixture fixture = stage((task, tokenSink) -> TaskFixture.said("done"))) {
      UUID spoiled = spoiled(fixture);
      UUID good = fixture.converse("behind it");
      await()
          .until(() -> {
            time.advance(Duration.ofSeconds(1));
            return fixture.tasks.problem().isPresent();
          });
      assertThat(fixture.tasks.problem().orElseThrow())
          .startsWith("No task is taken since 2026-01-31T12:00:");
      change(
          fixture,
          "update tasks set correlation_id = ? where task_id = ?",
          UUID.randomUUID().toString(),
          spoiled.toString());
      time.advance(Duration.ofSeconds(1));
      assertThat(fixture.awaitEnd(good).state()).isEqualTo(TaskState.COMPLETED);
      assertThat(fixture.awaitEnd(spoiled).state()).isEqualTo(TaskState.COMPLETED);
      await().until(() -> fixture.tasks.problem().isEmpty());
    }
  }
}
