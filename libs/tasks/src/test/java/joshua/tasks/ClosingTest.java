package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.SqlStatements;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a stop waits for. */
final class ClosingTest {
  @TempDir Path directory;

  private static int insert(Connection connection, UUID id) throws SQLException {
    return SqlStatements.change(
            connection,
            """
            insert into tasks (task_id, status, requester_id, prompt, created_at, updated_at, kind,
              input, conversation_id, correlation_id, input_digest)
            values (?1, 'PENDING', 'ann', 'x', '2026-01-31T12:00:00.000Z',
              '2026-01-31T12:00:00.000Z', 'converse', '{}', ?1, ?1, '')
            """,
            id.toString())
        + SqlStatements.change(
            connection,
            "insert into active_tasks (task_id, stage) values (?, 'WAITING')",
            id.toString());
  }

  private static int pausing(CountDownLatch begun, CountDownLatch go) {
    begun.countDown();
    try {
      go.await();
      return 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTaskThatIsJustBeingTakenIsGivenBack() throws Exception {
    ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
    UUID id = UUID.randomUUID();
    CountDownLatch inserted = new CountDownLatch(1);
    CountDownLatch insert = new CountDownLatch(1);
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch commit = new CountDownLatch(1);
    try (RealRedis redis = RealRedis.start();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> TaskFixture.said("done"));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Gauge waiting = fixture.meters.get("joshua.state.waiting").gauge();
      try {
        fixture.awaitEnd(fixture.converse("all is begun"));
        fixture.awaitAllTold();
        var _ =
            callers.submit(() ->
                fixture.database.write(
                    connection -> insert(connection, id) + pausing(inserted, insert)));
        inserted.await();
        // The taking waits behind the insert, and then shares a transaction with what comes next.
        fixture.tasks.shop().wake();
        await().until(() -> waiting.value() == 1);
        var _ = callers.submit(() -> fixture.database.write(connection -> pausing(taken, commit)));
        await().until(() -> waiting.value() == 2);
        insert.countDown();
        taken.await();
        Future<?> closing = callers.submit(fixture.tasks::close);
        await().until(() -> closing.isDone() || waiting.value() > 0);
        commit.countDown();
        closing.get();
      } finally {
        insert.countDown();
        commit.countDown();
      }
      assertThat(
              fixture.database.<List<Long>>read(connection ->
                  SqlStatements.rows(
                      connection,
                      "select lease_until from active_tasks where stage = 'WORKING'",
                      row -> row.getLong(1))))
          .containsExactly(0L);
    }
  }

  @Test
  void workThatCleansUpIsOverWhenTheCloseIs() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    TaskWork work =
        (task, tokenSink) -> {
          tokenSink.token("I begin");
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            // Cleaning up takes a while.
            var _ = new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS);
          } finally {
            over.set(true);
          }
          return TaskFixture.said("never");
        };
    try (RealRedis redis = RealRedis.start();
        TaskFixture fixture =
            TaskFixture.on(redis, directory.resolve("t.db"), InstantSource.system(), work)) {
      UUID id = fixture.converse("long");
      fixture.awaitState(id, state -> state == TaskState.STREAMING);
      fixture.tasks.close();
      assertThat(over).isTrue();
    }
  }
}
