package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.CrashPoint;
import joshua.tasks.store.CrashPoints;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.worker.TaskManager;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ended tasks whose notification another process sends because publishing took too long (wire
 * contract §4).
 */
final class OvertakenTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir Path directory;
  private final CountDownLatch hold = new CountDownLatch(1);
  private final CountDownLatch cutShort = new CountDownLatch(1);

  /** Publishing hangs after the first frame, and swallows its interruption. */
  private void slow(CrashPoint point) {
    if (point == CrashPoint.FRAME_PUBLISHED && hold.getCount() > 0) {
      try {
        hold.await();
      } catch (InterruptedException e) {
        cutShort.countDown();
      }
    }
  }

  private static final int MANY = 6;

  @Test
  void whatWaitsBehindSlowTellsIsStillOurs() throws Exception {
    ManualTime time = new ManualTime(NOON);
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger told = new AtomicInteger();
    InstantSource counted =
        () -> {
          looks.incrementAndGet();
          return time.instant();
        };
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    CountDownLatch claimed = new CountDownLatch(1);
    CountDownLatch otherIsThere = new CountDownLatch(1);
    // The first waits until all the others can be claimed together. Each of those takes 4 s of the
    // 10 that a lease lasts, and the other process checks meanwhile.
    CrashPoints slowly =
        (point, id) -> {
          if (point == CrashPoint.NOTIFIED) {
            if (told.incrementAndGet() == 1) {
              first.countDown();
              uninterruptibly(cancelled);
              return;
            }
            claimed.countDown();
            uninterruptibly(otherIsThere);
            time.advance(Duration.ofSeconds(4));
            int before = looks.get();
            await().until(() -> looks.get() > before + 20);
          }
        };
    Path file = directory.resolve("fiedler_state.db");
    Map<String, TaskWork> works = Map.of(TaskManager.CONVERSE, (task, tokenSink) -> hang());
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.*");
        TaskFixture teller =
            new TaskFixture(redis, file, TaskFixture.running(1, MANY), works, time, slowly)) {
      UUID busy = teller.converse("busy");
      teller.awaitState(busy, state -> state == TaskState.RUNNING);
      List<UUID> waiting = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        waiting.add(teller.converse("wait " + i));
      }
      cancel(teller, waiting.removeFirst());
      first.await();
      for (UUID id : waiting) {
        cancel(teller, id);
      }
      cancelled.countDown();
      claimed.await();
      try (TaskFixture _ =
          new TaskFixture(redis, file, TaskFixture.ROOMY, works, counted, (point, id) -> {})) {
        otherIsThere.countDown();
        await().until(() -> told.get() == MANY);
        teller.awaitAllToldBut(busy);
        assertThat(TaskFixture.payloads(listener, "mad.direct.ann")).hasSize(MANY);
        assertThat(listener.on("mad.direct.ann")).hasSize(MANY);
      }
    }
  }

  private static ObjectNode hang() throws InterruptedException {
    new CountDownLatch(1).await();
    return TaskFixture.said("never");
  }

  private static void cancel(TaskFixture fixture, UUID id) throws InterruptedException {
    fixture.call("cancel_task", "{'task_id':'%s'}".formatted(id));
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void itLeavesNothingBehindHereAndSaysNothingMore() throws Exception {
    ManualTime slow = new ManualTime(NOON);
    ManualTime fast = new ManualTime(NOON.plus(LeaseTimes.LASTS).plusSeconds(1));
    Path file = directory.resolve("fiedler_state.db");
    TaskWork work = (task, tokenSink) -> CrashingProcess.work(tokenSink);
    Map<String, TaskWork> works = Map.of(TaskManager.CONVERSE, work);
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.*");
        TaskFixture overtaken =
            new TaskFixture(
                redis, file, TaskFixture.ROOMY, works, slow, (point, id) -> slow(point))) {
      UUID id = overtaken.converse("slow");
      overtaken.awaitEnd(id);
      await().until(() -> listener.on("mad.stream." + id).size() == 1);
      try (TaskFixture other = TaskFixture.on(redis, file, fast, work)) {
        other.awaitAllTold();
        await().until(() -> !listener.on("mad.direct.ann").isEmpty());
        int said = listener.on("mad.stream." + id).size();
        assertThat(overtaken.tasks.shop().runs()).hasSize(1);
        slow.advance(LeaseTimes.RENEWED_EVERY);
        cutShort.await();
        await().until(() -> overtaken.tasks.shop().runs().isEmpty());
        hold.countDown();
        // The bus keeps the order of one connection: earlier messages have arrived.
        UUID last = overtaken.converse("last");
        await().until(() -> listener.on("mad.direct.ann").size() == 2);
        assertThat(listener.on("mad.stream." + id)).hasSize(said);
        assertThat(TaskFixture.joined(TaskFixture.frames(listener, id)))
            .isEqualTo(CrashingProcess.TEXT);
        assertThat(last).isNotEqualTo(id);
      }
    }
  }
}
