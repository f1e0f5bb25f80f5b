package joshua.tasks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.network.ToolResult;
import joshua.tasks.TaskFixture;
import joshua.tasks.TasksConfig;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.CancellationResult;
import joshua.tasks.model.LimitExceededException;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.CrashPoint;
import joshua.tasks.store.TaskStore;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits of a task, and how it is ended early (+FD-13, wire contract §4). */
final class TaskLimitsTest {
  private static RealRedis redis;

  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
  private final CountDownLatch go = new CountDownLatch(1);

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

  private TaskFixture stage(TasksConfig config, TaskWork work) throws Exception {
    return TaskFixture.on(redis, directory.resolve("fiedler_state.db"), time, config, work);
  }

  @Test
  @TriesLimit({"tasks.queued", "tasks.running"})
  void oneTaskMoreThanTheMostIsOverloadedAtOnce() throws Exception {
    try (TaskFixture fixture =
        stage(
            TaskFixture.running(2, 3),
            (task, tokenSink) -> {
              go.await();
              return TaskFixture.said("ok");
            })) {
      for (int i = 0; i < 5; i++) {
        fixture.converse("task " + i);
      }
      JsonNode refused = fixture.call("converse", "{'prompt':'x','requester_id':'ann'}");
      assertThat(refused.path("code").asText()).isEqualTo("overloaded");
      assertThat(fixture.meters.get("joshua.tasks.refused").counter().count()).isEqualTo(1);
      await()
          .until(
              () -> fixture.call("list_tasks", "{'status':'RUNNING'}").path("tasks").size() == 2);
      assertThat(fixture.call("list_tasks", "{'status':'PENDING'}").path("tasks")).hasSize(3);
      go.countDown();
      await()
          .until(
              () -> fixture.call("list_tasks", "{'status':'COMPLETED'}").path("tasks").size() == 5);
      fixture.converse("there is room again");
    }
  }

  private static TaskRequest with(ObjectNode input, String prompt) {
    return new TaskRequest(
        TaskManager.CONVERSE,
        prompt,
        input,
        "ann",
        Optional.empty(),
        UUID.randomUUID(),
        Optional.empty());
  }

  @Test
  @TriesLimit({"tasks.prompt", "tasks.result"})
  void promptsAndResultsBeyondTheirLimitsAreRefused() throws Exception {
    try (TaskFixture fixture =
        stage(
            TaskFixture.resultBytes(1_000),
            (task, tokenSink) -> TaskFixture.said("x".repeat(Integer.parseInt(task.prompt()))))) {
      String limit = "{'prompt':'%s','requester_id':'ann'}";
      long most = TaskFixture.ROOMY.promptBytes();
      assertThat(
              fixture
                  .call("converse", limit.formatted("x".repeat((int) most + 1)))
                  .path("code")
                  .asText())
          .isEqualTo("too_large");
      assertThat(fixture.call("converse", limit.formatted("x".repeat((int) most))).has("task_id"))
          .isTrue();
      assertThat(fixture.call("converse", limit.formatted("  ")).path("code").asText())
          .isEqualTo("invalid_input");
      ObjectNode file = Json.object().put("text", "x".repeat((int) most - 20));
      assertThat(fixture.tasks.accept(with(file, "just fits")))
          .isInstanceOf(AcceptanceResult.Accepted.class);
      assertThat(fixture.tasks.accept(with(file, "more than it")))
          .isInstanceOfSatisfying(
              AcceptanceResult.Refused.class,
              refused ->
                  assertThat(refused.refusal().message()).contains("%d bytes".formatted(most + 3)));
      int fits = 1_000 - "{\"text\":\"\"}".length();
      assertThat(fixture.awaitEnd(fixture.converse("" + fits)).state())
          .isEqualTo(TaskState.COMPLETED);
      Task over = fixture.awaitEnd(fixture.converse("" + (fits + 1)));
      assertThat(over.error().orElseThrow().message()).contains("JOSHUA_TASKS_RESULT_LIMIT");
    }
  }

  @Test
  void textBeyondTheLimitInterruptsTheWorkWhicheverThreadSaysIt() throws Exception {
    try (TaskFixture fixture =
        stage(
            TaskFixture.resultBytes(1_000),
            (task, tokenSink) -> {
              Thread.ofVirtual()
                  .start(() ->
                      assertThatThrownBy(() -> tokenSink.token("x".repeat(1_001)))
                          .isInstanceOf(LimitExceededException.class));
              go.await();
              return TaskFixture.said("never");
            })) {
      Task ended = fixture.awaitEnd(fixture.converse("talk"));
      assertThat(ended.error().orElseThrow().message())
          .contains("1000 bytes", "JOSHUA_TASKS_RESULT_LIMIT");
      await().until(() -> fixture.meters.get("joshua.tasks.running").gauge().value() == 0);
    }
  }

  @Test
  void aRunningTaskIsCancelledAtOnceAndItsThreadInterrupted() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          tokenSink.token("I begin");
          try {
            go.await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
          return TaskFixture.said("never");
        })) {
      UUID id = fixture.converse("long");
      fixture.awaitState(id, state -> state == TaskState.STREAMING);
      JsonNode answer = fixture.call("cancel_task", "{'task_id':'%s'}".formatted(id));
      assertThat(answer.path("status").asText()).isEqualTo("success");
      interrupted.await();
      Task ended = fixture.awaitEnd(id);
      assertThat(ended.isCancelled()).isTrue();
      assertThat(ended.error().orElseThrow().message()).startsWith("cancelled by ");
      assertThat(ended.error().orElseThrow().stackTrace()).isEmpty();
      assertThat(
              fixture.call("cancel_task", "{'task_id':'%s'}".formatted(id)).path("code").asText())
          .isEqualTo("conflict");
    }
  }

  @Test
  void aWaitingTaskThatIsCancelledNeverRunsAndIsTold() throws Exception {
    AtomicReference<String> ran = new AtomicReference<>("");
    try (TaskFixture fixture =
            stage(
                TaskFixture.running(1, 5),
                (task, tokenSink) -> {
                  ran.updateAndGet(before -> before + task.prompt());
                  go.await();
                  return TaskFixture.said("ok");
                });
        RawListener listener = RawListener.on(redis, "mad.*")) {
      UUID first = fixture.converse("first ");
      fixture.awaitState(first, state -> state == TaskState.RUNNING);
      UUID second = fixture.converse("second ");
      JsonNode answer = fixture.call("cancel_task", "{'task_id':'%s'}".formatted(second));
      assertThat(answer.path("task_status").asText()).isEqualTo("FAILED");
      time.advance(Duration.ofSeconds(2));
      await().until(() -> !TaskFixture.frames(listener, second).isEmpty());
      assertThat(fixture.failed()).isEqualTo(1);
      JsonNode only = TaskFixture.frames(listener, second).getFirst();
      assertThat(only.path("final").asBoolean()).isTrue();
      assertThat(only.path("sequence").asInt()).isZero();
      go.countDown();
      fixture.awaitEnd(first);
      fixture.awaitAllTold();
      assertThat(ran.get()).isEqualTo("first ");
      await().untilAsserted(() -> assertThat(listener.on("mad.direct.ann")).hasSize(2));
    }
  }

  /** A fixture whose tasks are running in the database, but don't start before {@link #go}. */
  private TaskFixture slowToBegin() throws Exception {
    return new TaskFixture(
        redis,
        directory.resolve("fiedler_state.db"),
        TaskFixture.ROOMY,
        Map.of(
            TaskManager.CONVERSE,
            (task, tokenSink) -> {
              new CountDownLatch(1).await();
              return TaskFixture.said("never");
            }),
        time,
        (point, id) -> {
          if (point == CrashPoint.CLAIMED) {
            await().until(() -> go.getCount() == 0);
          }
        });
  }

  @Test
  void aTaskIsCancelledThatIsJustBeingBegun() throws Exception {
    try (TaskFixture fixture = slowToBegin()) {
      UUID id = fixture.converse("hang");
      fixture.awaitState(id, state -> state == TaskState.RUNNING);
      CompletableFuture<JsonNode> cancelling = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              cancelling.complete(fixture.call("cancel_task", "{'task_id':'%s'}".formatted(id)));
            } catch (InterruptedException e) {
              cancelling.completeExceptionally(e);
            }
          });
      await().until(() -> fixture.task(id).cancelledBy().isPresent());
      go.countDown();
      assertThat(fixture.awaitEnd(id).error().orElseThrow().message()).contains("cancelled");
      assertThat(cancelling.get(10, TimeUnit.SECONDS).path("task_id").asText())
          .isEqualTo(id.toString());
    }
  }

  @Test
  void whatFailsBeforeItsCancellationIsHeardIsAFailure() throws Exception {
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          go.await();
          throw new IllegalStateException("The model is away.");
        })) {
      UUID id = fixture.converse("ask");
      fixture.awaitState(id, state -> state == TaskState.RUNNING);
      // As another process does it: this one would notice at its next renewal.
      assertThat(new TaskStore(fixture.database).cancel(id, "bob", time.instant()))
          .isInstanceOf(CancellationResult.Heard.class);
      go.countDown();
      Task ended = fixture.awaitEnd(id);
      assertThat(ended.cancelledBy()).contains("bob");
      assertThat(ended.isCancelled()).isFalse();
      assertThat(TaskAnswers.failed(ended))
          .isInstanceOfSatisfying(
              ToolResult.Refused.class,
              refused -> {
                assertThat(refused.refusal().code()).isEqualTo(ErrorCode.INTERNAL);
                assertThat(refused.refusal().message()).contains("The model is away.");
              });
    }
  }

  @Test
  void theTimeOfATaskCountsFromItsRunningAlsoBeforeItIsBegun() throws Exception {
    try (TaskFixture fixture = slowToBegin()) {
      UUID id = fixture.converse("hang");
      fixture.awaitState(id, state -> state == TaskState.RUNNING);
      time.advance(TaskFixture.ROOMY.timeLimit());
      go.countDown();
      assertThat(fixture.awaitEnd(id).error().orElseThrow().message()).contains("600 s");
    }
  }

  @Test
  @TriesLimit("tasks.time")
  void timeThatIsOverEndsATaskThatDoesNotHeedItsInterruption() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          while (true) {
            try {
              free.await();
              return TaskFixture.said("late");
            } catch (InterruptedException e) {
              // It ignores the interrupt.
            }
          }
        })) {
      UUID id = fixture.converse("endless");
      fixture.awaitState(id, state -> state == TaskState.RUNNING);
      time.advance(TaskFixture.ROOMY.timeLimit().minusSeconds(1));
      Thread.yield();
      assertThat(fixture.task(id).state()).isEqualTo(TaskState.RUNNING);
      time.advance(Duration.ofSeconds(1));
      TaskError error = fixture.awaitEnd(id).error().orElseThrow();
      assertThat(error.message()).contains("600 s", "JOSHUA_TASKS_TIME_LIMIT");
      assertThat(error.stackTrace()).contains("TaskLimitsTest");
      free.countDown();
    }
  }

  @Test
  void aToolCallAndAStallShowAsRunning() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          tokenSink.token("a");
          go.await();
          tokenSink.working();
          second.await();
          tokenSink.token("b");
          new CountDownLatch(1).await();
          return TaskFixture.said("ab");
        })) {
      UUID id = fixture.converse("think");
      fixture.awaitState(id, state -> state == TaskState.STREAMING);
      go.countDown();
      fixture.awaitState(id, state -> state == TaskState.RUNNING);
      second.countDown();
      fixture.awaitState(id, state -> state == TaskState.STREAMING);
      time.advance(Duration.ofMillis(2_001));
      fixture.awaitState(id, state -> state == TaskState.RUNNING);
    }
  }

  @Test
  void aResultTooDeepForTheStackIsAFailure() throws Exception {
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          ObjectNode result = TaskFixture.said("deep");
          ObjectNode at = result;
          for (int i = 0; i < 1_000_000; i++) {
            at = at.putObject("a");
          }
          return result;
        })) {
      Task ended = fixture.awaitEnd(fixture.converse("dig"));
      assertThat(ended.error().orElseThrow().message()).contains("StackOverflowError");
    }
  }

  @Test
  void aFailureThatCannotBeDescribedIsAFailure() throws Exception {
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          throw new IllegalStateException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
              throw new StackOverflowError();
            }
          };
        })) {
      Task ended = fixture.awaitEnd(fixture.converse("fail"));
      assertThat(ended.error().orElseThrow().message()).contains("no more can be told");
    }
  }
}
