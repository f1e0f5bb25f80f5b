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
import joshua.network.Peer;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import joshua.thought.ModelFailed;
import joshua.thought.ThoughtFailed;
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

  private Stage stage(TaskWork work) throws Exception {
    return Stage.on(redis, directory.resolve("fiedler_state.db"), time, work);
  }

  @Test
  void theAnswerComesBeforeTheWorkAndTheRowIsThere() throws Exception {
    try (Stage stage =
        stage((task, tokens) -> {
          go.await();
          return Stage.said("done");
        })) {
      JsonNode answer = stage.call("converse", "{'prompt':'hello','requester_id':'ann'}");
      assertThat(answer.path("status").asText()).isEqualTo("pending");
      UUID id = UUID.fromString(answer.path("task_id").asText());
      assertThat(answer.path("stream_topic").asText()).isEqualTo("mad.stream." + id);
      assertThat(stage.task(id).prompt()).isEqualTo("hello");
      stage.awaitState(id, state -> state == TaskState.RUNNING);
      go.countDown();
      assertThat(stage.awaitEnd(id).state()).isEqualTo(TaskState.COMPLETED);
    }
  }

  @Test
  void tokensComeInOrderWithOneEndAndTheNotificationOnce() throws Exception {
    try (Stage stage =
            stage((task, tokens) -> {
              for (String word : List.of("Every ", "good ", "boy")) {
                tokens.token(word);
              }
              return Stage.said("Every good boy does fine").put("stage", "dtr");
            });
        RawListener listener = RawListener.on(redis, "mad.*")) {
      UUID id = stage.converse("what do good boys do");
      stage.awaitEnd(id);
      stage.awaitAllTold();
      await().until(() -> listener.on("mad.direct.ann").size() >= 1);
      List<JsonNode> frames = Stage.frames(listener, id);
      for (int i = 0; i < frames.size(); i++) {
        assertThat(frames.get(i).path("sequence").asInt()).isEqualTo(i);
        assertThat(frames.get(i).path("final").asBoolean()).isEqualTo(i == frames.size() - 1);
        assertThat(frames.get(i).has("attempt")).isFalse();
      }
      assertThat(frames.getLast().path("status").asText()).isEqualTo("COMPLETED");
      assertThat(frames).hasSize(5);
      assertThat(Stage.joined(frames)).isEqualTo("Every good boy does fine");
      assertThat(listener.on("mad.stream." + id)).hasSize(5);

      toldOnce(listener, stage.task(id));
      JsonNode state = stage.call("get_task_status", "{'task_id':'%s'}".formatted(id));
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
          Stage.json(Json.write(stage.call("get_stream", "{'task_id':'%s'}".formatted(id))));
      assertThat(stream.path("final").asBoolean()).isTrue();
      assertThat(list(stream.path("frames"))).isEqualTo(frames);
      JsonNode rest = stage.call("get_stream", "{'task_id':'%s','from_sequence':3}".formatted(id));
      assertThat(rest.path("frames")).hasSize(2);
      assertThat(
              stage
                  .call("get_stream", "{'task_id':'%s','from_sequence':99}".formatted(id))
                  .path("frames"))
          .isEmpty();
    }
  }

  private static void toldOnce(RawListener listener, Task ended) {
    assertThat(listener.on("mad.direct.ann")).hasSize(1);
    JsonNode envelope = Stage.json(listener.on("mad.direct.ann").getFirst());
    assertThat(envelope.path("message_id").asText())
        .isEqualTo(Post.notificationId(ended.id()).toString());
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
    try (Stage stage =
            stage((task, tokens) -> {
              tokens.token("I think");
              throw new IllegalStateException("no answer with hunter2-the-secret");
            });
        RawListener listener = RawListener.on(redis, "mad.*")) {
      UUID id = stage.converse("fail");
      TaskError error = stage.awaitEnd(id).error().orElseThrow();
      assertThat(error.message()).isEqualTo("no answer with ***");
      assertThat(error.stackTrace())
          .contains("IllegalStateException: no answer with ***", "ConverseTest");
      stage.awaitAllTold();
      await().until(() -> listener.on("mad.direct.ann").size() >= 1);
      JsonNode told = Stage.payloads(listener, "mad.direct.ann").getFirst();
      assertThat(told.path("status").asText()).isEqualTo("FAILED");
      assertThat(told.path("result").isNull()).isTrue();
      assertThat(told.path("error").path("message").asText()).isEqualTo("no answer with ***");
      assertThat(Stage.frames(listener, id).getLast().path("status").asText()).isEqualTo("FAILED");
    }
  }

  @Test
  void aTextThatWasNotStreamedIsAMistakeAndFailed() throws Exception {
    try (Stage stage =
        stage((task, tokens) -> {
          tokens.token("one thing");
          return Stage.said("another thing");
        })) {
      assertThat(stage.awaitEnd(stage.converse("lie")).state()).isEqualTo(TaskState.FAILED);
    }
  }

  @Test
  void anyTextComesBackAsItWas() throws Exception {
    String odd = "NUL \0, quote \", emoji \ud83d\ude00, line\nend";
    try (Stage stage = stage((task, tokens) -> Stage.said(task.prompt()))) {
      TaskRequest request =
          new TaskRequest(
              TaskManager.CONVERSE,
              odd,
              Json.object(),
              "ann",
              Optional.empty(),
              UUID.randomUUID(),
              Optional.empty());
      UUID id = ((Acceptance.Accepted) stage.tasks.accept(request)).taskId();
      Task ended = stage.awaitEnd(id);
      assertThat(ended.prompt()).isEqualTo(odd);
      assertThat(ended.result().orElseThrow().path("text").asText()).isEqualTo(odd);
      assertThat(stage.tasks.stream(id, 0).orElseThrow().frames().getFirst().token())
          .isEqualTo(odd);
    }
  }

  @Test
  void waitingGivesTheTextAndProgress() throws Exception {
    Stage.Waiting peer = new Stage.Waiting(false);
    try (Stage stage =
        stage((task, tokens) -> {
          go.await();
          return Stage.said("forty-two");
        })) {
      Thread.ofVirtual()
          .start(() -> {
            await().until(() -> peer.progress.contains("RUNNING"));
            go.countDown();
          });
      JsonNode answer =
          stage.call(
              "converse",
              "{'prompt':'6 x 7','requester_id':'ann','wait':true}",
              new Caller(Optional.empty(), Role.ADMIN, "test"),
              peer);
      assertThat(answer.path("result").path("text").asText()).isEqualTo("forty-two");
      assertThat(answer.path("stream_topic").asText()).startsWith("mad.stream.");
    }
  }

  /** A 401 of a model server: no mistake of ours, and no stack trace in the log. */
  @Test
  void aModelThatFailsHasACodeOfItsOwnAndOneLineOfTheLog() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(TaskRun.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    String sentence = "openai was asked for gpt-test and refused the API key (HTTP 401).";
    try (Stage stage =
        stage((task, tokens) -> {
          throw new ThoughtFailed(
              sentence, new ModelFailed(ModelFailed.Kind.UNAUTHENTICATED, "HTTP 401", null, null));
        })) {
      JsonNode answer =
          stage.call(
              "converse",
              "{'prompt':'a poem','requester_id':'ann','wait':true}",
              new Caller(Optional.empty(), Role.ADMIN, "test"),
              new Stage.Waiting(false));
      assertThat(answer.path("code").asText()).isEqualTo("model_failed");
      assertThat(answer.path("message").asText()).isEqualTo(sentence);
      String id = answer.path("task_id").asText();
      JsonNode error =
          stage.call("get_task_status", "{'task_id':'%s'}".formatted(id)).path("error_details");
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
    try (Stage stage =
        stage((task, tokens) -> {
          throw new IllegalStateException("the model is away");
        })) {
      JsonNode answer = stage.call("converse", "{'prompt':'x','requester_id':'ann','wait':true}");
      assertThat(answer.path("status").asText()).isEqualTo("error");
      assertThat(answer.path("message").asText()).isEqualTo("the model is away");
      assertThat(answer.path("task_status").asText()).isEqualTo("FAILED");
    }
  }

  @Test
  void theSameKeyIsTheSameTaskAndAnotherInputAConflict() throws Exception {
    String asked = "{'prompt':'%s','requester_id':'%s','idempotency_key':'k1'}";
    try (Stage stage = stage((task, tokens) -> Stage.said("ok"))) {
      JsonNode first = stage.call("converse", asked.formatted("a", "ann"));
      JsonNode again = stage.call("converse", asked.formatted("a", "ann"));
      assertThat(again).isEqualTo(first);
      assertThat(stage.call("converse", asked.formatted("b", "ann")).path("code").asText())
          .isEqualTo("conflict");
      JsonNode others = stage.call("converse", asked.formatted("b", "bob"));
      assertThat(others.path("task_id")).isNotEqualTo(first.path("task_id"));
    }
  }

  @Test
  @TriesLimit("tasks.key")
  void aKeyHasAMostCharacters() throws Exception {
    String asked = "{'prompt':'a','requester_id':'ann','idempotency_key':'%s'}";
    try (Stage stage = stage((task, tokens) -> Stage.said("ok"))) {
      String longest = "k".repeat(TaskRequest.MAX_KEY);
      assertThat(stage.call("converse", asked.formatted(longest)).has("task_id")).isTrue();
      JsonNode refused = stage.call("converse", asked.formatted(longest + "k"));
      assertThat(refused.path("code").asText()).isEqualTo("invalid_input");
      assertThat(refused.path("message").asText()).contains("idempotency_key", "128");
    }
  }

  @Test
  @TriesLimit("tasks.listed")
  void aListHasAMostTasks() throws Exception {
    try (Stage stage = stage((task, tokens) -> Stage.said("ok"))) {
      stage.converse("p");
      String list = "{'limit':%d}";
      assertThat(stage.call("list_tasks", list.formatted(TaskFilter.MAX_LIMIT)).path("tasks"))
          .hasSize(1);
      JsonNode refused = stage.call("list_tasks", list.formatted(TaskFilter.MAX_LIMIT + 1));
      assertThat(refused.path("code").asText()).isEqualTo("invalid_input");
      assertThat(refused.path("message").asText()).contains("limit", "200");
    }
  }

  @Test
  void aListHasPagesAndFilters() throws Exception {
    try (Stage stage = stage((task, tokens) -> Stage.said("ok"))) {
      for (int i = 0; i < 5; i++) {
        stage.converse("p" + i);
        time.advance(Duration.ofMillis(1));
      }
      stage.call("converse", "{'prompt':'bobs','requester_id':'bob'}");
      JsonNode page = stage.call("list_tasks", "{'requester_id':'ann','limit':3}");
      assertThat(page.path("tasks")).hasSize(3);
      assertThat(page.path("tasks").path(0).path("prompt").asText()).isEqualTo("p4");
      JsonNode rest =
          stage.call(
              "list_tasks",
              "{'requester_id':'ann','limit':3,'before':%s}".formatted(page.path("next")));
      assertThat(rest.path("tasks")).hasSize(2);
      assertThat(rest.path("next").isNull()).isTrue();
      assertThat(stage.call("list_tasks", "{}").path("tasks")).hasSize(6);
    }
  }

  @Test
  void unknownTasksAreUnknown() throws Exception {
    try (Stage stage = stage((task, tokens) -> Json.object())) {
      for (String tool : List.of("get_task_status", "cancel_task", "get_stream")) {
        assertThat(
                stage
                    .call(tool, "{'task_id':'%s'}".formatted(UUID.randomUUID()))
                    .path("code")
                    .asText())
            .isEqualTo("unknown_task");
      }
    }
  }

  @Test
  void whoMaySeeWhat() throws Exception {
    Caller ann = new Caller(Optional.of("ann"), Role.VIEWER, "test");
    Caller bob = new Caller(Optional.of("bob"), Role.VIEWER, "test");
    Caller operator = new Caller(Optional.of("ops"), Role.OPERATOR, "test");
    try (Stage stage = stage((task, tokens) -> Stage.said("ok"))) {
      UUID id = stage.converse("private");
      String task = "{'task_id':'%s'}".formatted(id);
      for (String tool : List.of("get_task_status", "get_stream")) {
        assertThat(stage.call(tool, task, ann, Peer.SILENT).has("code")).isFalse();
        assertThat(stage.call(tool, task, operator, Peer.SILENT).has("code")).isFalse();
        assertThat(stage.call(tool, task, bob, Peer.SILENT).path("code").asText())
            .isEqualTo("unknown_task");
      }
      assertThat(stage.call("list_tasks", "{}", bob, Peer.SILENT).path("tasks")).isEmpty();
      assertThat(stage.call("list_tasks", "{}", ann, Peer.SILENT).path("tasks")).hasSize(1);
      assertThat(
              stage
                  .call("list_tasks", "{'requester_id':'ann'}", bob, Peer.SILENT)
                  .path("code")
                  .asText())
          .isEqualTo("forbidden");
      assertThat(
              stage
                  .call("converse", "{'prompt':'x','requester_id':'ann'}", operator, Peer.SILENT)
                  .path("code")
                  .asText())
          .isEqualTo("forbidden");
      TaskResources resources = new TaskResources(stage.tasks);
      assertThat(resources.list(ann)).hasSize(1);
      assertThat(resources.list(bob)).isEmpty();
      assertThat(resources.list(operator)).hasSize(1);
      assertThat(resources.list(new Caller(Optional.of("root"), Role.ADMIN, "test"))).hasSize(1);
      assertThat(new TaskResources(stage.tasks).read("fiedler://tasks/" + id, bob, Peer.SILENT))
          .isEmpty();
      assertThat(new DurableTasks(stage.tasks).find(id.toString(), bob)).isEmpty();
    }
  }
}
