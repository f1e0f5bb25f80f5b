package joshua.tasks.worker;

import static joshua.tasks.ExecutorFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import joshua.conversation.Envelope;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.tasks.ExecutorFixture;
import joshua.tasks.TaskFixture;
import joshua.tasks.TaskRows;
import joshua.tasks.TasksConfig;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.store.LeasedTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One attempt at one task, from its lease to its notification. */
final class TaskRunTest {
  @TempDir Path directory;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CompletableFuture<Throwable> interrupted = new CompletableFuture<>();
  private ExecutorFixture fixture;
  private UUID id;
  private TaskRun run;

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Starts the run of a task under a lease; the executor itself takes none. */
  private void run(TasksConfig config, TaskWork work) throws Exception {
    fixture = new ExecutorFixture(directory, config, work);
    id = fixture.rows.accept("say hello");
    LeasedTask leased = fixture.rows.take(fixture.leases);
    run = new TaskRun(fixture.executor, leased, work, fixture.rows.time.nanoTime());
    run.start();
  }

  private void run(TaskWork work) throws Exception {
    run(TaskFixture.ROOMY, work);
  }

  /** Work that goes on until it is interrupted. */
  private ObjectNode hang() throws InterruptedException {
    begun.countDown();
    try {
      new CountDownLatch(1).await();
      throw new IllegalStateException();
    } catch (InterruptedException e) {
      interrupted.complete(e);
      throw e;
    }
  }

  private static TaskError error(Task task) {
    return task.error().orElseThrow();
  }

  @Test
  void whatItSaysIsStreamedAndWhatItReturnsIsKeptAndTold() throws Exception {
    run((task, sink) -> {
      sink.token("hel");
      sink.token("lo");
      return Json.object().put("text", "hello").put("n", 1);
    });
    fixture.awaitTold(id);
    Task task = fixture.rows.task(id);
    assertThat(task.state()).isEqualTo(TaskState.COMPLETED);
    assertThat(task.result().map(Json::write)).contains("{\"text\":\"hello\",\"n\":1}");
    soon().until(() -> !fixture.on("mad.direct.ann").isEmpty());
    assertThat(fixture.streamed(id)).isEqualTo("hello");
    List<Envelope> stream = fixture.on("mad.stream." + id);
    assertThat(stream.getLast().payload().path("final").asBoolean()).isTrue();
    assertThat(stream.getLast().payload().path("status").asText()).isEqualTo("COMPLETED");
    Envelope told = fixture.on("mad.direct.ann").getFirst();
    assertThat(told.correlationId()).isEqualTo(task.correlationId());
    assertThat(told.conversationId()).isEqualTo(task.conversationId());
    assertThat(told.payload().path("task_id").asText()).isEqualTo(id.toString());
    assertThat(fixture.ended("completed")).isEqualTo(1);
    assertThat(fixture.streams.page(id, 0, 1_000).orElseThrow().frames()).isNotEmpty();
  }

  @Test
  void workThatThrowsIsAFailureWhoseSecretsAreMasked() throws Exception {
    run((task, sink) -> {
      sink.token("so far");
      throw new IllegalStateException("no way with hunter2-the-secret");
    });
    fixture.awaitTold(id);
    Task task = fixture.rows.task(id);
    assertThat(task.state()).isEqualTo(TaskState.FAILED);
    assertThat(error(task).code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(error(task).message()).contains("no way with ***").doesNotContain("hunter2");
    assertThat(error(task).stackTrace()).contains("TaskRunTest");
    assertThat(fixture.ended("failed")).isEqualTo(1);
    soon().until(() -> !fixture.on("mad.direct.ann").isEmpty());
    assertThat(fixture.streamed(id)).isEqualTo("so far");
  }

  @Test
  void aCancellationInterruptsTheWorkAndIsItsEnd() throws Exception {
    run((task, sink) -> hang());
    begun.await();
    fixture.rows.store.cancel(id, "bob", TaskRows.NOON);
    run.cancel("bob");
    interrupted.get();
    fixture.awaitTold(id);
    assertThat(fixture.rows.task(id).isCancelled()).isTrue();
    assertThat(error(fixture.rows.task(id)).message()).isEqualTo("cancelled by bob");
  }

  @Test
  void atItsTimeLimitItIsStoppedAndNotBefore() throws Exception {
    run((task, sink) -> hang());
    begun.await();
    Duration limit = TaskFixture.ROOMY.timeLimit();
    fixture.rows.time.advance(limit.minusNanos(1));
    run.look();
    assertThat(fixture.rows.task(id).state()).isEqualTo(TaskState.RUNNING);
    assertThat(interrupted).isNotDone();
    fixture.rows.time.advance(Duration.ofNanos(1));
    run.look();
    interrupted.get();
    fixture.awaitTold(id);
    assertThat(error(fixture.rows.task(id)).message())
        .contains("stopped after 600 s, the most that it may take (JOSHUA_TASKS_TIME_LIMIT)");
  }

  @Test
  void aResultOfTheLimitIsKept() throws Exception {
    ObjectNode most = Json.object().put("n", "x".repeat(1_000));
    run(TaskFixture.resultBytes(Json.bytes(most).length), (task, sink) -> most);
    assertThat(fixture.awaitEnd(id).result()).contains(most);
  }

  @Test
  void aResultOfOneByteMoreIsAFailure() throws Exception {
    ObjectNode most = Json.object().put("n", "x".repeat(1_000));
    run(TaskFixture.resultBytes(Json.bytes(most).length - 1), (task, sink) -> most);
    Task task = fixture.awaitEnd(id);
    assertThat(task.state()).isEqualTo(TaskState.FAILED);
    assertThat(error(task).message()).contains("JOSHUA_TASKS_RESULT_LIMIT");
  }

  @Test
  void itsKindIsKeptAsSoonAsItIsKnown() throws Exception {
    run((task, sink) -> {
      sink.kind(TaskKind.QUESTION);
      return hang();
    });
    begun.await();
    assertThat(fixture.rows.task(id).kind()).isEqualTo(TaskKind.QUESTION);
    run.cancel("bob");
    fixture.awaitTold(id);
  }

  @Test
  void whatIsLeftIsNeitherKeptNorToldAndFreeAtOnce() throws Exception {
    run((task, sink) -> {
      sink.token("so far");
      return hang();
    });
    begun.await();
    soon().until(() -> fixture.streamed(id).equals("so far"));
    assertThat(run.leave()).isTrue();
    assertThat(run.leave()).isFalse();
    interrupted.get();
    run.awaitStopped(Duration.ofSeconds(20));
    assertThat(fixture.rows.task(id).state().isFinal()).isFalse();
    fixture.leases.releaseAll();
    LeasedTask next = fixture.other.take(Set.of(), TaskRows.NOON, 2, 1).held().getFirst();
    assertThat(next.task().attempt()).isEqualTo(2);
    assertThat(fixture.on("mad.direct.ann")).isEmpty();
  }

  @Test
  void oneThatWasOvertakenWritesNothingMoreAndEndsItsWork() throws Exception {
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    CountDownLatch overtaken = new CountDownLatch(1);
    run((task, sink) -> {
      begun.countDown();
      overtaken.await();
      try {
        sink.kind(TaskKind.QUESTION);
      } catch (CancellationException e) {
        refused.complete(e);
        throw e;
      }
      return TaskFixture.said("late");
    });
    begun.await();
    fixture.rows.time.advance(LeaseTimes.LASTS);
    LeasedTask next =
        fixture.other.take(Set.of(), fixture.rows.time.instant(), 2, 1).held().getFirst();
    overtaken.countDown();
    assertThat(refused.get()).hasMessage("the task is another's now");
    run.awaitStopped(Duration.ofSeconds(20));
    Task task = fixture.rows.task(id);
    assertThat(task.state()).isEqualTo(TaskState.RUNNING);
    assertThat(task.kind()).isEqualTo(TaskKind.WORK);
    assertThat(fixture.leases.renew(List.of(next.lease()), TaskRows.NOON)).containsKey(id);
    assertThat(fixture.on("mad.direct.ann")).isEmpty();
  }

  @Test
  void itsOutcomeIsKeptWithoutTheBusAndLeftToBeTold() throws Exception {
    CountDownLatch cut = new CountDownLatch(1);
    run((task, sink) -> {
      begun.countDown();
      cut.await();
      return TaskFixture.said("done");
    });
    begun.await();
    fixture.memory.cut();
    cut.countDown();
    assertThat(fixture.awaitEnd(id).state()).isEqualTo(TaskState.COMPLETED);
    List<LeasedTask> claimed =
        soon()
            .until(
                () ->
                    fixture.other.claimTelling(
                        Set.of(), TaskRows.NOON, TaskRows.NOON.plusSeconds(9), 1),
                held -> !held.isEmpty());
    assertThat(claimed.getFirst().task().id()).isEqualTo(id);
  }

  @Test
  void aStopPublishesWhatHasEnded() throws Exception {
    run((task, sink) -> TaskFixture.said("done"));
    fixture.awaitEnd(id);
    run.stop();
    run.awaitStopped(Duration.ofSeconds(20));
    fixture.awaitTold(id);
    soon().until(() -> fixture.on("mad.direct.ann").size() == 1);
  }
}
