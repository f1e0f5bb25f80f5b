package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests Fiedler's tasks as MCP clients use them: as tasks of the extension if they declared it, as
 * a pending object, or waited for; and as resources that notify of progress.
 */
final class FiedlerMcpIT {
  private static final String TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static GroupUnderTest groupUnderTest;

  @BeforeAll
  static void start() {
    ModelServer models = STAGE.add(ModelServer.start("models.json", 20));
    groupUnderTest =
        STAGE.up(
            "JOSHUA_MODEL_PROVIDER=openai",
            "JOSHUA_MODEL_NAME=gpt-test",
            "JOSHUA_MODEL_BASE_URL=" + models.openAi());
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  private static JsonNode result(McpText request) {
    RawWeb web = STAGE.add(RawWeb.to(groupUnderTest.port("fiedler")));
    String head = web.say(request.post()).head();
    assertThat(head).startsWith("HTTP/1.1 200 ").contains("application/json");
    return FrameSocketClient.parse(web.body(head)).path("result");
  }

  /** The same request of a client that takes tasks. */
  private static McpText takingTasks(McpText request) {
    return new McpText(
        request.headers(), request.body().replace("Capabilities\":{}", "Capabilities\":" + TASKS));
  }

  private static JsonNode task(String id) {
    return result(
        takingTasks(McpText.modern(2, "tasks/get", "'taskId':'%s'".formatted(id)))
            .with("Mcp-Name", id));
  }

  private static JsonNode ended(String id) {
    return await().until(() -> task(id), found -> !found.path("status").asText().equals("working"));
  }

  private static String converse(String prompt) {
    JsonNode created =
        result(
            takingTasks(
                McpText.modernCall(
                    1,
                    "fiedler_converse",
                    "{'prompt':'%s','requester_id':'ann'}".formatted(prompt))));
    assertThat(created.path("resultType").asText()).isEqualTo("task");
    return created.path("taskId").asText();
  }

  @Test
  void aClientThatTakesTasksIsGivenOneAndItsResult() {
    JsonNode done = ended(converse("a poem"));

    assertThat(done.path("status").asText()).isEqualTo("completed");
    assertThat(done.at("/result/isError").asBoolean(false)).isFalse();
    assertThat(done.at("/result/content/0/text").asText()).startsWith("Roses are red");
  }

  @Test
  void aFailedTaskIsACompletedCallWithAnErrorAndACancelledOneIsCancelled() {
    JsonNode failed = ended(converse("the broken machine"));
    assertThat(failed.path("status").asText()).isEqualTo("completed");
    assertThat(failed.at("/result/isError").asBoolean()).isTrue();
    assertThat(failed.path("result").has("structuredContent")).isFalse();
    assertThat(failed.at("/result/_meta/joshua~1error/code").asText()).isEqualTo("model_failed");
    assertThat(failed.at("/result/_meta/joshua~1error/task_status").asText()).isEqualTo("FAILED");

    String id = converse("a poem");
    result(
        takingTasks(McpText.modern(3, "tasks/cancel", "'taskId':'%s'".formatted(id)))
            .with("Mcp-Name", id));
    assertThat(ended(id).path("status").asText()).isIn("cancelled", "completed");
  }

  @Test
  void aClientThatDoesNotTakeTasksGetsThePendingObjectOrWaits() {
    JsonNode pending =
        result(
            McpText.modernCall(1, "fiedler_converse", "{'prompt':'a poem','requester_id':'ann'}"));
    JsonNode object = pending.path("structuredContent");
    assertThat(object.path("status").asText()).isEqualTo("pending");

    String id = object.path("task_id").asText();
    JsonNode read =
        await()
            .until(
                () ->
                    result(
                        McpText.modern(
                                2, "resources/read", "'uri':'fiedler://tasks/%s'".formatted(id))
                            .with("Mcp-Name", "fiedler://tasks/" + id)),
                found -> found.at("/contents/0/text").asText().contains("COMPLETED"));
    assertThat(read.at("/contents/0/text").asText()).contains("Roses are red");

    FrameSocketClient fiedler = groupUnderTest.client("fiedler");
    JsonNode waited =
        fiedler.call("fiedler_converse", "{'prompt':'a poem','requester_id':'ann','wait':true}");
    assertThat(waited.path("status").asText()).isEqualTo("completed");
    assertThat(waited.at("/result/text").asText()).startsWith("Roses are red");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sdk2-modern http", "sdk2-legacy http", "sdk1 ws"})
  void aTaskThatIsWatchedTellsItsWatcherThatItMovesOn(String kind) {
    String sdk = kind.substring(0, kind.indexOf(' '));
    String url =
        "%s://127.0.0.1:%d/mcp"
            .formatted(kind.substring(sdk.length() + 1), groupUnderTest.port("fiedler"));
    McpTestClient mcpTestClient = STAGE.add(SdkTestClient.start(sdk, List.of(url)));
    McpTestClient.is(mcpTestClient.connect());
    ObjectNode poem = FrameSocketClient.object("{'prompt':'a poem','requester_id':'ann'}");
    // A task that ends before it is watched notifies nothing: then the next one is watched.
    await()
        .until(() -> {
          String id =
              McpTestClient.is(mcpTestClient.call("fiedler_converse", poem))
                  .path("task_id")
                  .asText();
          McpTestClient.is(mcpTestClient.watch("fiedler://tasks/" + id));
          await().until(() -> task(id).path("status").asText().equals("completed"));
          return mcpTestClient.updates() > 0;
        });
  }

  @Test
  void theSameKeyIsTheSameTaskAndAnotherPromptUnderItAConflict() {
    FrameSocketClient fiedler = groupUnderTest.client("fiedler");
    String call = "{'prompt':'%s','requester_id':'ann','idempotency_key':'k1'}";

    JsonNode first = fiedler.call("fiedler_converse", call.formatted("help"));
    JsonNode again = fiedler.call("fiedler_converse", call.formatted("help"));
    JsonNode other = fiedler.call("fiedler_converse", call.formatted("tasks"));

    assertThat(again.path("task_id")).isEqualTo(first.path("task_id"));
    assertThat(other.path("code").asText()).isEqualTo("conflict");
  }

  @Test
  void theToolsAreFewAndTheirInputsChecked() {
    JsonNode tools = result(McpText.modern(1, "tools/list", "")).path("tools");
    assertThat(tools.valueStream().map(tool -> tool.path("name").asText()))
        .containsExactlyInAnyOrder(
            "fiedler_converse",
            "fiedler_get_task_status",
            "fiedler_list_tasks",
            "fiedler_cancel_task",
            "fiedler_get_stream",
            "fiedler_send",
            "fiedler_list_models");
    FrameSocketClient fiedler = groupUnderTest.client("fiedler");
    Map<String, String> refused =
        Map.of(
            "fiedler_converse", "{'prompt':'x'}",
            "fiedler_get_task_status", "{'task_id':'nonsense'}",
            "fiedler_list_tasks", "{'limit':0}",
            "fiedler_get_stream", "{}",
            "fiedler_send", "{'prompt':'x','requester_id':'a b'}");
    refused.forEach((tool, input) ->
        assertThat(fiedler.call(tool, input).path("code").asText())
            .as(tool)
            .isEqualTo("invalid_input"));
    Stream.of("fiedler_get_task_status", "fiedler_cancel_task", "fiedler_get_stream")
        .forEach(tool ->
            assertThat(
                    fiedler
                        .call(tool, "{'task_id':'0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07'}")
                        .path("code")
                        .asText())
                .as(tool)
                .isEqualTo("unknown_task"));
  }
}
