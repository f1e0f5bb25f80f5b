package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.store.SqlStatements;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases use the time of day, and the clock may be set. */
class ClockSetTest {
  @TempDir Path directory;

  @Test
  void aClockPutForwardTakesNoTaskFromALivingProcess() throws Exception {
    ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
    Path file = directory.resolve("fiedler_state.db");
    CountDownLatch go = new CountDownLatch(1);
    TaskWork hangs =
        (task, tokenSink) -> {
          tokenSink.token("So far ");
          go.await();
          return TaskFixture.said("So far so good");
        };
    TaskWork quick = (task, tokenSink) -> TaskFixture.said("by the other");
    try (RealRedis redis = RealRedis.start();
        TaskFixture one =
            TaskFixture.setting(redis, file, time, TaskFixture.running(1, 10), hangs)) {
      UUID id = one.converse("hang");
      one.awaitState(id, state -> state == TaskState.STREAMING);
      try (TaskFixture other = TaskFixture.setting(redis, file, time, quick)) {
        other.awaitEnd(other.converse("before"));

        time.put(Duration.ofHours(1));
        other.awaitEnd(other.converse("it looks for what was left whenever it takes one"));
        assertThat(other.task(id).attempt()).isEqualTo(1);
        // The live holder renews its lease, which is valid by the time others trust it again.
        time.advance(LeaseTimes.RENEWED_EVERY);
        await().until(() -> leaseUntil(one, id) > time.millis());
        for (int i = 0; i < 4; i++) {
          time.advance(LeaseTimes.RENEWED_EVERY);
          await()
              .until(() -> leaseUntil(one, id) == LeaseTimes.until(time.instant()).toEpochMilli());
          other.awaitEnd(other.converse("again " + i));
        }
        assertThat(other.task(id).attempt()).isEqualTo(1);
        go.countDown();
        assertThat(other.awaitEnd(id).state()).isEqualTo(TaskState.COMPLETED);
        assertThat(other.task(id).attempt()).isEqualTo(1);
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
            .orElse(0L));
  }
}
