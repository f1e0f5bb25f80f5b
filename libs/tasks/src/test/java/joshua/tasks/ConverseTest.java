package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.worker.TaskManager;
import joshua.tasks.worker.TaskPublisher;
import joshua.tasks.worker.TaskRun;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import joshua.thought.ModelFailedException;
import joshua.thought.ThoughtFailedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A converse from the call to the notification (REQ-FD-02, -06, -07, -08, +FD-13). */
final class ConverseTest {
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

  @Test
  void theAnswerComesBeforeTheWorkAndTheRowIsThere() throws Exception {
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          go.await();
          return TaskFixture.said("done");
        })) {
      JsonNode answer = fixture.call("converse", "{'prompt':'hello','requester_id':'ann'}");
      assertThat(answer.path("status").asText()).isEqualTo("pending");
      UUID id = UUID.fromString(answer.path("task_id").asText());
      assertThat(answer.path("stream_topic").asText()).isEqualTo("mad.stream." + id);
      assertThat(fixture.task(id).prompt()).isEqualTo("hello");
      fixture.awaitState(id, state -> state == TaskState.RUNNING);
      go.countDown();
      assertThat(fixture.awaitEnd(id).state()).isEqualTo(TaskState.COMPLETED);
    }
  }

  @Test
  void tokensComeInOrderWithOneEndAndTheNotificationOnce() throws Exception {
    try (TaskFixture fixture =
            stage((task, tokenSink) -> {
              for (String word : List.of("Every ", "good ", "boy")) {
                tokenSink.token(word);
              }
              return TaskFixture.said("Every good boy does fine").put("stage", "dtr");
            });
        RawListener listener = RawListener.on(redis, "mad.*")) {
      UUID id = fixture.converse("what do good boys do");
      fixture.awaitEnd(id);
      fixture.awaitAllTold();
      await().until(() -> listener.on("mad.direct.ann").size() >= 1);
      List<JsonNode> frames = TaskFixture.frames(listener, id);
      for (int i = 0; i < frames.size(); i++) {
        assertThat(frames.get(i).path("sequence").asInt()).isEqualTo(i);
        assertThat(frames.get(i).path("final").asBoolean()).isEqualTo(i == frames.size() - 1);
        assertThat(frames.get(i).has("attempt")).isFalse();
      }
      assertThat(frames.getLast().path("status").asText()).isEqualTo("COMPLETED");
      assertThat(frames).hasSize(5);
      assertThat(TaskFixture.joined(frames)).isEqualTo("Every good boy does fine");
      assertThat(listener.on("mad.stream." + id)).hasSize(5);

      toldOnce(listener, fixture.task(id));
      JsonNode state = fixture.call("get_task_status", "{'task_id':'%s'}".formatted(id));
      assertThat(state.properties().stream().map(java.util.Map.Entry::getKey))
          .containsExactly(
              "task_id",
              "status",
              "requester_id",
              "kind",
              "attempt",
              "conversation_id",
              "correlation_id",
              "prompt",
              "result_payload",
              "error_details",
              "created_at",
              "updated_at");
      assertThat(state.path("result_payload").path("text").asText())
          .isEqualTo("Every good boy does fine");

      JsonNode stream =
          TaskFixture.json(
              Json.write(fixture.call("get_stream", "{'task_id':'%s'}".formatted(id))));
      assertThat(stream.path("final").asBoolean()).isTrue();
      assertThat(list(stream.path("frames"))).isEqualTo(frames);
      JsonNode rest =
          fixture.call("get_stream", "{'task_id':'%s','from_sequence':3}".formatted(id));
      assertThat(rest.path("frames")).hasSize(2);
      assertThat(
              fixture
                  .call("get_stream", "{'task_id':'%s','from_sequence':99}".formatted(id))
                  .path("frames"))
          .isEmpty();
    }
  }

  private static void toldOnce(RawListener listener, Task ended) {
    assertThat(listener.on("mad.direct.ann")).hasSize(1);
    JsonNode envelope = TaskFixture.json(listener.on("mad.direct.ann").getFirst());
    assertThat(envelope.path("message_id").asText())
        .isEqualTo(TaskPublisher.notificationId(ended.id()).toString());
    assertThat(envelope.path("correlation_id").asText())
        .isEqualTo(ended.correlationId().toString());
    JsonNode told = envelope.path("payload");
    assertThat(told.path("notification_type").asText()).isEqualTo("task_update");
    assertThat(told.path("status").asText()).isEqualTo("COMPLETED");
    assertThat(told.path("result").path("stage").asText()).isEqualTo("dtr");
    assertThat(told.path("error").isNull()).isTrue();
  }

  private static List<JsonNode> list(JsonNode array) {
    List<JsonNode> list = new java.util.ArrayList<>();
    array.forEach(list::add);
    return list;
  }

  @Test
  void aFailureIsFailedWithMessageAndTraceAndNoSecret() throws Exception {
    try (TaskFixture fixture =
            stage((task, tokenSink) -> {
              tokenSink.token("I think");
              throw new IllegalStateException("no answer with hunter2-the-secret");
            });
        RawListener listener = RawListener.on(redis, "mad.*")) {
      UUID id = fixture.converse("fail");
      TaskError error = fixture.awaitEnd(id).error().orElseThrow();
      assertThat(error.message()).isEqualTo("no answer with ***");
      assertThat(error.stackTrace())
          .contains("IllegalStateException: no answer with ***", "ConverseTest");
      fixture.awaitAllTold();
      await().until(() -> listener.on("mad.direct.ann").size() >= 1);
      JsonNode told = TaskFixture.payloads(listener, "mad.direct.ann").getFirst();
      assertThat(told.path("status").asText()).isEqualTo("FAILED");
      assertThat(told.path("result").isNull()).isTrue();
      assertThat(told.path("error").path("message").asText()).isEqualTo("no answer with ***");
      assertThat(TaskFixture.frames(listener, id).getLast().path("status").asText())
          .isEqualTo("FAILED");
    }
  }

  @Test
  void aTextThatWasNotStreamedIsAMistakeAndFailed() throws Exception {
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          tokenSink.token("one thing");
          return TaskFixture.said("another thing");
        })) {
      assertThat(fixture.awaitEnd(fixture.converse("lie")).state()).isEqualTo(TaskState.FAILED);
    }
  }

  @Test
  void anyTextComesBackAsItWas() throws Exception {
    String odd = "NUL \0, quote \", emoji \ud83d\ude00, line\nend";
    try (TaskFixture fixture = stage((task, tokenSink) -> TaskFixture.said(task.prompt()))) {
      TaskRequest request =
          new TaskRequest(
              TaskManager.CONVERSE,
              odd,
              Json.object(),
              "ann",
              Optional.empty(),
              UUID.randomUUID(),
              Optional.empty());
      UUID id = ((AcceptanceResult.Accepted) fixture.tasks.accept(request)).taskId();
      Task ended = fixture.awaitEnd(id);
      assertThat(ended.prompt()).isEqualTo(odd);
      assertThat(ended.result().orElseThrow().path("text").asText()).isEqualTo(odd);
      assertThat(fixture.tasks.stream(id, 0).orElseThrow().frames().getFirst().token())
          .isEqualTo(odd);
    }
  }

  @Test
  void waitingGivesTheTextAndProgress() throws Exception {
    TaskFixture.Waiting peer = new TaskFixture.Waiting(false);
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          go.await();
          return TaskFixture.said("forty-two");
        })) {
      Thread.ofVirtual()
          .start(() -> {
            await().until(() -> peer.progress.contains("RUNNING"));
            go.countDown();
          });
      JsonNode answer =
          fixture.call(
              "converse",
              "{'prompt':'6 x 7','requester_id':'ann','wait':true}",
              new Caller(Optional.empty(), Role.ADMIN, "test"),
              peer);
      assertThat(answer.path("result").path("text").asText()).isEqualTo("forty-two");
      assertThat(answer.path("stream_topic").asText()).startsWith("mad.stream.");
    }
  }

  /** A 401 of a model server isn't a bug of ours, so there is no stack trace in the log. */
  @Test
  void aModelThatFailsHasACodeOfItsOwnAndOneLineOfTheLog() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(TaskRun.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    String sentence = "openai was asked for gpt-test and refused the API key (HTTP 401).";
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          throw new ThoughtFailedException(
              sentence,
              new ModelFailedException(
                  ModelFailedException.Kind.UNAUTHENTICATED, "HTTP 401", null, null));
        })) {
      JsonNode answer =
          fixture.call(
              "converse",
              "{'prompt':'a poem','requester_id':'ann','wait':true}",
              new Caller(Optional.empty(), Role.ADMIN, "test"),
              new TaskFixture.Waiting(false));
      assertThat(answer.path("code").asText()).isEqualTo("model_failed");
      assertThat(answer.path("message").asText()).isEqualTo(sentence);
      String id = answer.path("task_id").asText();
      JsonNode error =
          fixture.call("get_task_status", "{'task_id':'%s'}".formatted(id)).path("error_details");
      assertThat(error.path("code").asText()).isEqualTo("model_failed");
      assertThat(error.path("stack_trace").asText()).contains("\tat ");
      // Other tests' tasks fail meanwhile, in the same log.
      List<ILoggingEvent> ours =
          List.copyOf(log.list).stream()
              .filter(event -> event.getFormattedMessage().contains(id))
              .toList();
      assertThat(ours)
          .extracting(ILoggingEvent::getFormattedMessage)
          .containsExactly("task %s failed: %s".formatted(id, sentence));
      assertThat(ours.getFirst().getThrowableProxy()).isNull();
    } finally {
      logger.detachAppender(log);
    }
  }

  @Test
  void waitingForAFailureIsAnError() throws Exception {
    try (TaskFixture fixture =
        stage((task, tokenSink) -> {
          throw new IllegalStateException("the model is away");
        })) {
      JsonNode answer = fixture.call("converse", "{'prompt':'x','requester_id':'ann','wait':true}");
      assertThat(answer.path("status").asText()).isEqualTo("error");
      assertThat(answer.path("message").asText()).isEqualTo("the model is away");
      assertThat(answer.path("task_status").asText()).isEqualTo("FAILED");
    }
  }

  @Test
  void theSameKeyIsTheSameTaskAndAnotherInputAConflict() throws Exception {
    String asked = "{'prompt':'%s','requester_id':'%s','idempotency_key':'k1'}";
    try (TaskFixture fixture = stage((task, tokenSink) -> TaskFixture.said("ok"))) {
      JsonNode first = fixture.call("converse", asked.formatted("a", "ann"));
      JsonNode again = fixture.call("converse", asked.formatted("a", "ann"));
      assertThat(again).isEqualTo(first);
      assertThat(fixture.call("converse", asked.formatted("b", "ann")).path("code").asText())
          .isEqualTo("conflict");
      JsonNode others = fixture.call("converse", asked.formatted("b", "bob"));
      assertThat(others.path("task_id")).isNotEqualTo(first.path("task_id"));
    }
  }

  @Test
  @TriesLimit("tasks.key")
  void aKeyHasAMostCharacters() throws Exception {
    String asked = "{'prompt':'a','requester_id':'ann','idempotency_key':'%s'}";
    try (TaskFixture fixture = stage((task, tokenSink) -> TaskFixture.said("ok"))) {
      String longest = "k".repeat(TaskRequest.MAX_KEY);
      assertThat(fixture.call("converse", asked.formatted(longest)).has("task_id")).isTrue();
      JsonNode refused = fixture.call("converse", asked.formatted(longest + "k"));
      assertThat(refused.path("code").asText()).isEqualTo("invalid_input");
      assertThat(refused.path("message").asText()).contains("idempotency_key", "128");
    }
  }

  @Test
  @TriesLimit("tasks.listed")
  void aListHasAMostTasks() throws Exception {
    try (TaskFixture fixture = stage((task, tokenSink) -> TaskFixture.said("ok"))) {
      fixture.converse("p");
      String list = "{'limit':%d}";
      assertThat(fixture.call("list_tasks", list.formatted(TaskFilter.MAX_LIMIT)).path("tasks"))
          .hasSize(1);
      JsonNode refused = fixture.call("list_tasks", list.formatted(TaskFilter.MAX_LIMIT + 1));
      assertThat(refused.path("code").asText()).isEqualTo("invalid_input");
      assertThat(refused.path("message").asText()).contains("limit", "200");
    }
  }

  @Test
  void aListHasPagesAndFilters() throws Exception {
    try (TaskFixture fixture = stage((task, tokenSink) -> TaskFixture.said("ok"))) {
      for (int i = 0; i < 5; i++) {
        fixture.converse("p" + i);
        time.advance(Duration.ofMillis(1));
      }
      fixture.call("converse", "{'prompt':'bobs','requester_id':'bob'}");
      JsonNode page = fixture.call("list_tasks", "{'requester_id':'ann','limit':3}");
      assertThat(page.path("tasks")).hasSize(3);
      assertThat(page.path("tasks").path(0).path("prompt").asText()).isEqualTo("p4");
      JsonNode rest =
          fixture.call(
              "list_tasks",
              "{'requester_id':'ann','limit':3,'before':%s}".formatted(page.path("next")));
      assertThat(rest.path("tasks")).hasSize(2);
      assertThat(rest.path("next").isNull()).isTrue();
      assertThat(fixture.call("list_tasks", "{}").path("tasks")).hasSize(6);
    }
  }

  @Test
  void unknownTasksAreUnknown() throws Exception {
    try (TaskFixture fixture = stage((task, tokenSink) -> Json.object())) {
      for (String tool : List.of("get_task_status", "cancel_task", "get_stream")) {
        assertThat(
                fixture
                    .call(tool, "{'task_id':'%s'}".formatted(UUID.randomUUID()))
                    .path("code")
                    .asText())
            .isEqualTo("unknown_task");
      }
    }
  }
}
