package joshua.tasks.worker;

import static joshua.tasks.ExecutorFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.tasks.ExecutorFixture;
import joshua.tasks.TaskFixture;
import joshua.tasks.TaskRows;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TokenSink;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.store.LeasedTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tasks a process takes, in which order, and how many at once. */
final class TaskExecutorTest {
  @TempDir Path directory;
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final Semaphore mayEnd = new Semaphore(0);
  private ExecutorFixture fixture;

  @AfterEach
  void close() {
    mayEnd.release(1_000);
    fixture.close();
  }

  /** Runs at most so many tasks, each of which lasts until it may end. */
  private void open(int running) throws Exception {
    fixture = new ExecutorFixture(directory, TaskFixture.running(running, 100), this::work);
  }

  private ObjectNode work(Task task, TokenSink sink) throws InterruptedException {
    begun.add(task.prompt());
    mayEnd.acquire();
    return TaskFixture.said("done");
  }

  /** A task that was taken by a process that is no more. */
  private UUID abandoned(String prompt) throws Exception {
    UUID id = fixture.rows.accept(prompt);
    fixture.rows.take(fixture.other);
    return id;
  }

  @Test
  void asManyRunAtOnceAsThereArePlacesAndTheOldestBeginFirst() throws Exception {
    open(2);
    List<UUID> ids = new ArrayList<>();
    for (int n = 1; n <= 5; n++) {
      ids.add(fixture.rows.accept("task " + n));
    }
    fixture.executor.start();
    fixture.executor.wake();
    soon().until(() -> begun.size() == 2 && fixture.running() == 2);
    assertThat(begun).containsExactlyInAnyOrder("task 1", "task 2");
    assertThat(fixture.rows.task(ids.get(2)).state()).isEqualTo(TaskState.PENDING);
    mayEnd.release();
    soon().until(() -> begun.size() == 3);
    assertThat(begun.getLast()).isEqualTo("task 3");
    mayEnd.release(4);
    ids.forEach(fixture::awaitTold);
    assertThat(begun).hasSize(5);
    assertThat(fixture.ended("completed")).isEqualTo(5);
    soon().until(() -> fixture.running() == 0);
    assertThat(fixture.executor.runs()).isEmpty();
    assertThat(fixture.executor.problem()).isEmpty();
  }

  @Test
  void abandonedTasksAreLookedForWhenToldToAndGoBeforeThoseThatWait() throws Exception {
    open(1);
    UUID left = abandoned("left");
    UUID waits = fixture.rows.accept("waits");
    fixture.rows.time.advance(LeaseTimes.RENEWED_EVERY);
    fixture.executor.start();
    fixture.rows.time.advance(LeaseTimes.LASTS);
    fixture.executor.lookForLeft();
    soon().until(() -> begun.size() == 1);
    mayEnd.release(2);
    fixture.awaitTold(left);
    fixture.awaitTold(waits);
    assertThat(begun).containsExactly("left", "waits");
    assertThat(fixture.rows.task(left).attempt()).isEqualTo(2);
    assertThat(fixture.rows.task(waits).attempt()).isEqualTo(1);
  }

  @Test
  void aTaskThatWasAbandonedTooOftenEndsThoughNoPlaceIsFree() throws Exception {
    open(1);
    UUID left = abandoned("left");
    fixture.rows.time.advance(LeaseTimes.LASTS);
    assertThat(
            fixture.rows.leases("third").take(Set.of(), fixture.rows.time.instant(), 2, 1).held())
        .hasSize(1);
    fixture.rows.accept("busy");
    fixture.executor.start();
    fixture.executor.wake();
    soon().until(() -> begun.contains("busy"));
    fixture.rows.time.advance(LeaseTimes.LASTS);
    fixture.executor.lookForLeft();
    assertThat(fixture.awaitEnd(left).state()).isEqualTo(TaskState.FAILED);
    // Its notification is for another thread to send.
    assertThat(fixture.untold.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    assertThat(fixture.ended("failed")).isEqualTo(1);
    assertThat(begun).containsExactly("busy");
  }

  @Test
  void afterTheClockWasSetNoTaskIsTakenOverUntilHoldersCouldHaveRenewed() throws Exception {
    open(2);
    UUID left = abandoned("left");
    fixture.executor.start();
    fixture.rows.time.put(Duration.ofHours(1));
    fixture.rows.accept("waits");
    fixture.executor.lookForLeft();
    soon().until(() -> begun.contains("waits"));
    fixture.rows.time.advance(LeaseTimes.LASTS.minusNanos(1));
    fixture.rows.accept("waits, too");
    fixture.executor.lookForLeft();
    soon().until(() -> begun.contains("waits, too"));
    assertThat(fixture.rows.task(left).attempt()).isEqualTo(1);
    mayEnd.release();
    soon().until(() -> fixture.running() == 1);
    fixture.rows.time.advance(Duration.ofNanos(1));
    fixture.executor.lookForLeft();
    soon().until(() -> begun.contains("left"));
  }

  @Test
  void workOfAnUnknownKindIsAFailureThatSaysWhatToDo() throws Exception {
    open(1);
    UUID id =
        fixture.rows.accept(
            new TaskRequest(
                "juggle",
                "x",
                Json.object(),
                "ann",
                Optional.empty(),
                UUID.randomUUID(),
                Optional.empty()));
    fixture.executor.start();
    fixture.executor.wake();
    assertThat(fixture.awaitEnd(id).error().orElseThrow().message())
        .contains("This build knows no work of the kind juggle.");
  }

  @Test
  void aCancelledTaskEndsAtOnceAndItsPlaceIsFreeWhenItsWorkIsOver() throws Exception {
    CountDownLatch stubborn = new CountDownLatch(1);
    fixture =
        new ExecutorFixture(
            directory,
            TaskFixture.running(1, 100),
            (task, sink) -> {
              begun.add(task.prompt());
              boolean over = !task.prompt().equals("stubborn");
              while (!over) {
                try {
                  stubborn.await();
                  over = true;
                } catch (InterruptedException e) {
                  begun.add("interrupted");
                }
              }
              return TaskFixture.said("done");
            });
    UUID first = fixture.rows.accept("stubborn");
    UUID second = fixture.rows.accept("next");
    fixture.executor.start();
    fixture.executor.wake();
    soon().until(() -> begun.contains("stubborn"));
    fixture.executor.cancel(first, "bob");
    fixture.executor.cancel(UUID.randomUUID(), "bob");
    assertThat(fixture.awaitEnd(first).error().orElseThrow().message())
        .isEqualTo("cancelled by bob");
    fixture.awaitTold(first);
    soon().until(() -> begun.contains("interrupted"));
    fixture.executor.wake();
    assertThat(fixture.running()).isEqualTo(1);
    assertThat(fixture.rows.task(second).state()).isEqualTo(TaskState.PENDING);
    stubborn.countDown();
    fixture.awaitTold(second);
    assertThat(begun).containsExactly("stubborn", "interrupted", "next");
  }

  @Test
  void aCloseInterruptsWhatRunsAndLeavesItToTheNextAtOnce() throws Exception {
    open(2);
    List<UUID> ids = List.of(fixture.rows.accept("1"), fixture.rows.accept("2"));
    fixture.executor.start();
    fixture.executor.wake();
    soon().until(() -> begun.size() == 2);
    UUID waits = fixture.rows.accept("3");
    fixture.executor.close();
    assertThat(fixture.executor.runs()).isEmpty();
    List<LeasedTask> next = fixture.other.take(Set.of(), TaskRows.NOON, 2, 10).held();
    assertThat(next.stream().map(each -> each.task().id()))
        .containsExactlyInAnyOrder(ids.get(0), ids.get(1), waits);
    assertThat(begun).hasSize(2);
  }
}
