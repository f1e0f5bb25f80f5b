package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests long work through the running program, with a model and without (Works 5–8): accepted at
 * once, streamed, notified once, and kept.
 */
final class FiedlerIT {
  private static final String POEM =
      "Roses are red,\nviolets are blue,\nthe bus is quick,\nand so are you.";
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static GroupUnderTest groupUnderTest;

  @BeforeAll
  static void start() {
    ModelServer models = STAGE.add(ModelServer.start("models.json", 20));
    groupUnderTest =
        STAGE.up(
            "JOSHUA_MODEL_PROVIDER=openai",
            "JOSHUA_MODEL_NAME=gpt-test,gpt-mute",
            "JOSHUA_MODEL_API_KEY=sk-a-secret-of-the-test",
            "JOSHUA_MODEL_BASE_URL=" + models.openAi());
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  private static String joined(JsonNode frames) {
    return StreamSupport.stream(frames.spliterator(), false)
        .map(frame -> frame.path("token").asText())
        .collect(Collectors.joining());
  }

  private static JsonNode ended(FrameSocketClient fiedler, String taskId) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> fiedler.call("fiedler_get_task_status", "{'task_id':'%s'}".formatted(taskId)),
            task -> task.path("status").asText().matches("COMPLETED|FAILED"));
  }

  @Test
  void aPromptThroughGraceIsAnsweredStreamedAndToldOfOnce() {
    FrameSocketClient grace = groupUnderTest.client();
    grace.subscribe("ann", "mad.direct.ann");
    ProgramRun tail = STAGE.start("tail", "mad.stream.*", "-o", "json").awaitErr("following");

    grace.send("ann", "mad.direct.fiedler", "{'prompt':'write a poem, please'}");

    JsonNode pending = grace.poll("ann").path("messages").path(0).path("payload");
    assertThat(pending.path("status").asText()).isEqualTo("pending");
    String taskId = pending.path("task_id").asText();
    assertThat(pending.path("stream_topic").asText()).isEqualTo("mad.stream." + taskId);
    JsonNode told = grace.poll("ann").path("messages");
    assertThat(told).hasSize(1);
    JsonNode notification = told.path(0).path("payload");
    assertThat(notification.path("notification_type").asText()).isEqualTo("task_update");
    assertThat(notification.path("status").asText()).isEqualTo("COMPLETED");
    assertThat(notification.at("/result/text").asText()).isEqualTo(POEM);
    assertThat(notification.at("/result/stage").asText()).isEqualTo("imperator");

    tail.awaitOut("\"final\":true");
    String live =
        tail.out()
            .lines()
            .map(FrameSocketClient::parse)
            .filter(each -> each.path("channel").asText().equals("mad.stream." + taskId))
            .map(each -> each.path("payload").path("token").asText())
            .collect(Collectors.joining());
    assertThat(live).isEqualTo(POEM);

    FrameSocketClient fiedler = groupUnderTest.client("fiedler");
    JsonNode stream = fiedler.call("fiedler_get_stream", "{'task_id':'%s'}".formatted(taskId));
    assertThat(joined(stream.path("frames"))).isEqualTo(POEM);
    assertThat(stream.path("final").asBoolean()).isTrue();
    assertThat(grace.pollNow("ann").path("messages")).isEmpty();
  }

  @Test
  void whatNeedsNoModelIsAnsweredWithoutOne() {
    FrameSocketClient fiedler = groupUnderTest.client("fiedler");

    JsonNode pending = fiedler.call("fiedler_converse", "{'prompt':'tasks','requester_id':'bob'}");
    JsonNode task = ended(fiedler, pending.path("task_id").asText());

    assertThat(task.path("status").asText()).isEqualTo("COMPLETED");
    assertThat(task.at("/result_payload/stage").asText()).isEqualTo("dtr");
    assertThat(task.at("/result_payload/evidence/0/query").asText()).isEqualTo("tasks");
  }

  /** Wire contract §3: a model's work is not taken for a question, in a conversation or alone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Continue.",
        "Yes, do it.",
        "Cancel the last paragraph and write a new ending.",
        "Restart the nginx server.",
      })
  void workGoesToTheModel(String sentence) {
    FrameSocketClient fiedler = groupUnderTest.client("fiedler");
    String call = "{'prompt':'%s','requester_id':'dan','conversation_id':%s,'wait':true}";
    JsonNode alone = fiedler.call("fiedler_converse", call.formatted(sentence, "null"));
    assertThat(alone.at("/result/stage").asText()).as(alone.toString()).isEqualTo("imperator");
    String poem = "'" + UUID.randomUUID() + "'";
    fiedler.call("fiedler_converse", call.formatted("write a poem", poem));
    JsonNode within = fiedler.call("fiedler_converse", call.formatted(sentence, poem));
    assertThat(within.at("/result/text").asText()).isEqualTo("As you wish.");
    JsonNode help = fiedler.call("fiedler_converse", call.formatted("tasks", poem));
    assertThat(help.at("/result/stage").asText()).isEqualTo("dtr");
  }

  @Test
  void aRefusalToActIsFailedAndNamesWhatCanBeTyped() {
    ProgramRun refused = STAGE.run("ask", "fiedler", "please cancel all my tasks", "--as", "fay");
    assertThat(refused.exitStatus()).isEqualTo(1);
    assertThat(refused.out()).isBlank();
    assertThat(refused.err()).contains("Nothing was cancelled", "`./joshua task list`");
    JsonNode tasks =
        FrameSocketClient.parse(
            STAGE
                .run("task", "list", "--requester", "fay", "--kind", "question", "-o", "json")
                .out());
    assertThat(tasks).hasSize(1);
    String id = tasks.path(0).path("task_id").asText();
    JsonNode task = FrameSocketClient.parse(STAGE.run("task", "show", id, "-o", "json").out());
    assertThat(task.path("status").asText()).isEqualTo("FAILED");
    assertThat(task.at("/error_details/stack_trace").asText("?")).isEmpty();
    assertThat(task.path("requester_id").asText()).isEqualTo("fay");
    assertThat(STAGE.run("task", "list", "--requester", "fay", "-o", "json").out().strip())
        .isEqualTo("[]");
  }

  @Test
  void aModelThatFailsFailsTheTaskAndNoOther() {
    FrameSocketClient fiedler = groupUnderTest.client("fiedler");

    JsonNode pending =
        fiedler.call(
            "fiedler_converse", "{'prompt':'Sing of the broken machine','requester_id':'eve'}");
    JsonNode task = ended(fiedler, pending.path("task_id").asText());

    assertThat(task.path("status").asText()).isEqualTo("FAILED");
    assertThat(task.path("result_payload").isNull()).isTrue();
    assertThat(task.at("/error_details/code").asText()).isEqualTo("model_failed");
    assertThat(task.at("/error_details/message").asText()).contains("gpt-test");
    assertThat(task.at("/error_details/stack_trace").asText()).contains("\tat ");
    assertThat(task.toString()).doesNotContain("sk-a-secret-of-the-test");
    JsonNode next =
        fiedler.call("fiedler_converse", "{'prompt':'Now a poem','requester_id':'eve'}");
    assertThat(ended(fiedler, next.path("task_id").asText()).path("status").asText())
        .isEqualTo("COMPLETED");
  }

  @Test
  void oneModelThatFailsDoesNotFailTheOthers() {
    FrameSocketClient fiedler = groupUnderTest.client("fiedler");
    JsonNode models = fiedler.call("fiedler_list_models", "{}").path("models");
    assertThat(models.findValuesAsText("model")).containsExactly("gpt-test", "gpt-mute");

    JsonNode answer =
        fiedler.call("fiedler_send", "{'prompt':'sing a duet','requester_id':'bob','wait':true}");

    assertThat(answer.path("status").asText()).isEqualTo("completed");
    JsonNode answers = answer.at("/result/answers");
    assertThat(answers.at("/0/text").asText()).isEqualTo("do re mi");
    assertThat(answers.at("/1/text").isNull()).isTrue();
    assertThat(answers.at("/1/error").asText()).contains("gpt-mute", "401");
    assertThat(
            fiedler
                .call(
                    "fiedler_send",
                    "{'prompt':'x','requester_id':'bob','models':['gpt-unheard-of']}")
                .path("code")
                .asText())
        .isEqualTo("invalid_input");
  }

  @Test
  void theCommandLineAsksAndShowsTheAnswer() {
    ProgramRun ask = STAGE.run("ask", "fiedler", "a poem for the command line");
    assertThat(ask.exitStatus()).isZero();
    assertThat(ask.out()).isEqualTo(POEM + "\n");

    ProgramRun failed = STAGE.run("ask", "fiedler", "a song of the broken machine");
    assertThat(failed.exitStatus()).isEqualTo(1);
    assertThat(failed.err()).contains("gpt-test").doesNotContain("\tat ");

    ProgramRun list = STAGE.run("task", "list", "--requester", "cli", "-o", "json");
    JsonNode tasks = FrameSocketClient.parse(list.out());
    assertThat(tasks).hasSizeGreaterThanOrEqualTo(2);
    String taskId = tasks.path(0).path("task_id").asText();
    assertThat(STAGE.run("task", "show", taskId).out()).contains("FAILED");
    assertThat(STAGE.run("task", "cancel", taskId).exitStatus()).isEqualTo(1);
  }
}
