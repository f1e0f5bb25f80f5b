package joshua.integration;

import static joshua.integration.GraceCalls.code;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.Test;

/** What Fiedler answers without a model, by tools and on the bus (wire contract §3). */
class FiedlerTest extends GroupTest {
  private JsonNode converse(String prompt, Object... more) {
    return group.callFiedler("fiedler_converse", "prompt", prompt, "requester_id", ann, more);
  }

  private JsonNode query(String name, JsonNode arguments) {
    return group.callFiedler("fiedler_query", "name", name, "arguments", arguments);
  }

  private JsonNode status(JsonNode accepted) {
    return group.callFiedler("fiedler_get_task_status", "task_id", accepted.path("task_id"));
  }

  @Test
  void aPromptIsATaskAtOnceAndItsEndIsTold() {
    grace.subscribe(ann, toAnn);
    JsonNode accepted = converse("help");
    assertThat(accepted.path("status").asText()).isEqualTo("pending");
    String id = accepted.path("task_id").asText();
    assertThat(accepted.path("stream_topic").asText()).isEqualTo("mad.stream." + id);
    JsonNode told = grace.poll(ann, "wait_ms", 60_000).at("/messages/0");
    assertThat(told.path("sender_id").asText()).isEqualTo("fiedler");
    assertThat(told.path("correlation_id")).isEqualTo(accepted.path("correlation_id"));
    assertThat(told.at("/payload/status").asText()).isEqualTo("COMPLETED");
    JsonNode task = status(accepted);
    JsonNode result = task.path("result_payload");
    assertThat(result).isEqualTo(told.at("/payload/result"));
    assertThat(result.path("text").asText()).contains("\n  status=PENDING|");
    assertThat(result.path("stage").asText()).isEqualTo("dtr");
    assertThat(result.path("read_as").asText()).isEqualTo("help");
    assertThat(result.path("usage").isNull()).isTrue();
    assertThat(result.path("truncated").asBoolean()).isFalse();
    assertThat(task.path("error_details").isNull()).isTrue();
    assertThat(task.path("prompt").asText()).isEqualTo("help");
    JsonNode stream = group.callFiedler("fiedler_get_stream", "task_id", id);
    assertThat(stream.path("frames")).hasSize(1);
    JsonNode frame = stream.at("/frames/0");
    assertThat(frame.path("token")).isEqualTo(result.path("text"));
    assertThat(frame.path("final").asBoolean()).isTrue();
  }

  @Test
  void plainWordsAreReadAndAnswersCarryTheirEvidence() {
    converse("Write a limerick.", "wait", true);
    JsonNode accepted = converse("What is the status of my tasks?", "wait", true);
    assertThat(accepted.path("status").asText()).isEqualTo("completed");
    assertThat(accepted.path("text").asText()).startsWith("One task.").contains("limerick");
    JsonNode result = status(accepted).path("result_payload");
    assertThat(result.path("read_as").asText()).isEqualTo("tasks requester=" + ann);
    JsonNode evidence = result.at("/evidence/0");
    assertThat(evidence.path("query").asText()).isEqualTo("tasks");
    assertThat(evidence.at("/arguments/requester").asText()).isEqualTo(ann);
    assertThat(evidence.at("/rows/0/prompt").asText()).isEqualTo("Write a limerick.");
    JsonNode again = query("tasks", evidence.path("arguments"));
    assertThat(again.path("rows")).isEqualTo(evidence.path("rows"));
    assertThat(again.path("sentence").asText()).isEqualTo("One task.");
    String id = accepted.path("task_id").asText();
    JsonNode byEnd = Json.object().put("id", id.substring(24));
    assertThat(query("task", byEnd).path("rows"))
        .singleElement()
        .satisfies(row -> assertThat(row.path("task_id").asText()).isEqualTo(id));
  }

  @Test
  void withoutAModelOtherWordsFailAndSayWhatToDo() {
    JsonNode failed = converse("Cancel my subscription", "wait", true);
    assertThat(failed.path("status").asText()).isEqualTo("failed");
    assertThat(failed.path("error").asText())
        .contains("needs a model")
        .contains("\nQuestions about the bus are for Rogers: ./joshua rogers ask")
        .contains("set JOSHUA_MODEL_PROVIDER (openai, anthropic or ollama), JOSHUA_MODEL_NAME")
        .contains("The nearest are:\n");
    JsonNode details = status(failed).path("error_details");
    assertThat(details.path("message")).isEqualTo(failed.path("error"));
    assertThat(details.path("stack_trace").asText()).isEmpty();
    assertThat(converse("why did my last task fail?", "wait", true).path("text").asText())
        .contains("error: No command is meant by this");
    JsonNode never = converse("queue", "offline", "never", "wait", true);
    assertThat(never.path("status").asText()).isEqualTo("failed");
  }

  @Test
  void aKeyMakesARequestOnce() {
    JsonNode first = converse("help", "idempotency_key", "k");
    JsonNode again = converse("help", "idempotency_key", "k");
    assertThat(again.path("task_id")).isEqualTo(first.path("task_id"));
    assertThat(again.path("conversation_id")).isEqualTo(first.path("conversation_id"));
    JsonNode anotherKey = converse("help", "idempotency_key", "l");
    assertThat(anotherKey.path("task_id")).isNotEqualTo(first.path("task_id"));
    JsonNode other = converse("queue", "idempotency_key", "k");
    assertThat(code(other)).isEqualTo("conflict");
  }

  @Test
  void questionsAreLeftOutOfListsUnlessAskedFor() {
    JsonNode question = converse("help", "wait", true);
    JsonNode work = converse("Write a poem", "wait", true);
    JsonNode listed = group.callFiedler("fiedler_list_tasks", "requester_id", ann);
    assertThat(listed.path("tasks").findValues("task_id")).containsExactly(work.path("task_id"));
    JsonNode all = group.callFiedler("fiedler_list_tasks", "requester_id", ann, "kind", "all");
    assertThat(all.path("tasks").findValues("task_id"))
        .containsExactly(work.path("task_id"), question.path("task_id"));
    assertThat(converse("which of my tasks have completed?", "wait", true).path("text").asText())
        .startsWith("There are no such tasks; 1 question isn't counted, kind=all has them.");
    assertThat(converse("task requester=me", "wait", true).path("text").asText())
        .as("the newest, where no id says which")
        .contains("is FAILED", "Write a poem");
    JsonNode page =
        group.callFiedler("fiedler_list_tasks", "requester_id", ann, "kind", "all", "limit", 3);
    assertThat(page.path("before")).isEqualTo(work.path("task_id"));
  }

  @Test
  void inputsAreRefusedWithTheMemberAndTheRule() {
    assertThat(converse("").path("message").asText()).startsWith("prompt must be");
    assertThat(code(converse("help", "requester_id", "fiedler"))).isEqualTo("forbidden");
    UUID unknown = UUID.randomUUID();
    assertThat(code(group.callFiedler("fiedler_get_task_status", "task_id", unknown)))
        .isEqualTo("unknown_task");
    assertThat(query("taks", Json.object()).path("message").asText())
        .contains("did you mean tasks?");
  }

  @Test
  void anEndedTaskIsNotCancelled() {
    JsonNode ended = converse("help", "wait", true);
    JsonNode answer = group.callFiedler("fiedler_cancel_task", "task_id", ended.path("task_id"));
    assertThat(answer.path("cancelled").asBoolean()).isFalse();
    assertThat(answer.path("task_status").asText()).isEqualTo("COMPLETED");
  }

  @Test
  void theBusAloneSuffices() throws Exception {
    try (RawRedis mine = redis.connect()) {
      mine.call("SUBSCRIBE", toAnn);
      RawEnvelope prompt =
          RawEnvelope.on("mad.direct.fiedler").from(ann).payload("{\"prompt\":\"help\"}");
      publish("mad.direct.fiedler", prompt.json(), prompt.json());
      // The answer to each of the two, which are one task, and the end of that.
      List<JsonNode> heard =
          List.of(GraceCalls.heard(mine), GraceCalls.heard(mine), GraceCalls.heard(mine));
      assertThat(heard)
          .allSatisfy(message ->
              assertThat(message.path("correlation_id").asText())
                  .isEqualTo(prompt.text("correlation_id")));
      assertThat(heard.stream().map(each -> each.at("/payload/task_id")).distinct()).hasSize(1);
      assertThat(heard.stream().map(each -> each.at("/payload/status").asText()).toList())
          .containsExactlyInAnyOrder("pending", "pending", "COMPLETED");

      RawEnvelope unread =
          RawEnvelope.on("mad.direct.fiedler").from(ann).payload("{\"promt\":\"help\"}");
      publish("mad.direct.fiedler", unread.json());
      assertThat(GraceCalls.heard(mine).at("/payload/code").asText()).isEqualTo("invalid_input");

      RawEnvelope answer =
          RawEnvelope.on("mad.direct.fiedler").from(ann).payload("{\"status\":\"done\"}");
      publish("mad.direct.fiedler", answer.json(), unread.json());
      assertThat(GraceCalls.heard(mine).path("correlation_id").asText())
          .as("an answer is not answered")
          .isEqualTo(unread.text("correlation_id"));
    }
  }
}
