package joshua.network.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;

/** The bridge between a client on pipes and MADs on real sockets. */
class McpBridgeTest extends OnStage {
  @Test
  void theToolsOfAllMadsAreListedTogetherAndCalledEachWhereItIs() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port(), "b", mad("b", 0).port()));
    await().until(() -> client.tools().containsAll(List.of("a_count", "b_count")));
    assertThat(client.tools())
        .containsExactly(
            "a_note", "a_wait", "a_count", "a_ask", "b_note", "b_wait", "b_count", "b_ask");
    assertThat(client.call("a_note", none()).path("structuredContent").toString())
        .isEqualTo("{\"by\":\"a\",\"decimal\":1.5}");
    assertThat(client.call("b_note", none()).path("structuredContent").path("by").asText())
        .isEqualTo("b");
    client.send("tools/call", StdioClient.modern(StdioClient.arguments("c_note", none())));
    assertThat(client.response().path("error").path("code").asInt()).isEqualTo(-32602);
  }

  @Test
  void aRefusalOfAMadIsPassedOnAsItIsInBothEras() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port()));
    untilItWorks(client, "a_note");
    ObjectNode refused = StdioClient.arguments("a_note", none().put("text", "refuse"));
    client.send("tools/call", StdioClient.modern(refused.deepCopy()));
    client.send("tools/call", refused);
    for (int i = 0; i < 2; i++) {
      JsonNode result = client.response().path("result");
      assertThat(result.path("isError").asBoolean()).isTrue();
      assertThat(result.has("structuredContent")).isFalse();
      assertThat(result.at("/content/0/text").asText())
          .isEqualTo("conflict: It is refused.\n{\"gap\":{\"reason\":\"evicted\"}}");
      assertThat(result.at("/_meta/joshua~1error").toString())
          .isEqualTo(
              "{\"status\":\"error\",\"code\":\"conflict\",\"message\":\"It is refused.\",\"gap\":{\"reason\":\"evicted\"}}");
    }
  }

  @Test
  void sendsReachTheMadInTheOrderInWhichTheyCame() throws Exception {
    TestMad mad = mad("a", 0);
    StdioClient client = clientOf(Map.of("a", mad.port()));
    List<String> texts = IntStream.range(0, 300).mapToObj(Integer::toString).toList();
    for (String text : texts) {
      client.send(
          "tools/call",
          StdioClient.modern(StdioClient.arguments("a_note", none().put("text", text))));
    }
    for (String _ : texts) {
      JsonNode response = client.response();
      assertThat(response.at("/result/structuredContent/by").asText())
          .as("%s", response)
          .isEqualTo("a");
    }
    assertThat(mad.noted).containsExactlyElementsOf(texts);
  }

  @Test
  void progressIsPassedOn() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port()));
    await().until(() -> client.tools().contains("a_count"));
    ObjectNode params = StdioClient.arguments("a_count", none());
    params.withObject("_meta").put("progressToken", "mine");
    assertThat(client.ask("tools/call", params).path("structuredContent").path("counted").asInt())
        .isEqualTo(3);
    List<JsonNode> told =
        client.notifications.stream()
            .filter(n -> n.path("method").asText().equals("notifications/progress"))
            .toList();
    assertThat(told).hasSize(3);
    assertThat(told.getLast().path("params").toString())
        .isEqualTo(
            "{\"progressToken\":\"mine\",\"progress\":3.0,\"total\":3.0,\"message\":\"step 3\"}");
  }

  @Test
  void cancellationReachesTheTool() throws Exception {
    TestMad mad = mad("a", 0);
    StdioClient client = clientOf(Map.of("a", mad.port()));
    int id = client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    assertThat(mad.begun.await(10, TimeUnit.SECONDS)).isTrue();
    client.tell("notifications/cancelled", none().put("requestId", id));
    assertThat(mad.interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(client.call("a_note", none()).has("isError")).isFalse();
    assertThat(client.hasResponse()).isFalse();
  }

  @Test
  void aQuestionIsPutToAStatelessClientAndTheAnswerTakenBack() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port()));
    await().until(() -> client.tools().contains("a_ask"));
    JsonNode asked = client.call("a_ask", none());
    assertThat(asked.path("resultType").asText()).isEqualTo("input_required");
    assertThat(asked.path("inputRequests").path("name").path("method").asText())
        .isEqualTo("elicitation/create");
    ObjectNode again = StdioClient.arguments("a_ask", none());
    again.putObject("inputResponses").putObject("name").put("action", "decline");
    again.set("requestState", asked.get("requestState"));
    assertThat(client.ask("tools/call", again).path("structuredContent").path("answer").asText())
        .isEqualTo("decline");
  }

  @Test
  void aQuestionIsPutToALegacyClientByARequest() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port()));
    ObjectNode hello = none().put("protocolVersion", "2025-11-25");
    hello.putObject("capabilities").putObject("elicitation");
    client.send("initialize", hello);
    client.response();
    await().until(() -> client.tools().contains("a_ask"));
    client.send("tools/call", StdioClient.arguments("a_ask", none()));
    JsonNode question = client.asked.poll(10, TimeUnit.SECONDS);
    assertThat(question.path("method").asText()).isEqualTo("elicitation/create");
    ObjectNode answer = Json.object().put("jsonrpc", "2.0");
    answer.set("id", question.get("id"));
    answer.putObject("result").put("action", "cancel");
    client.write(Json.write(answer));
    assertThat(client.response().at("/result/structuredContent/answer").asText())
        .isEqualTo("cancel");
  }

  @Test
  void promptsAreListedFetchedAndCompleted() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port()));
    await()
        .until(
            () -> client.ask("prompts/list", none()).at("/prompts/0/name").asText(),
            "a_greeting"::equals);
    ObjectNode params = none().put("name", "a_greeting");
    params.putObject("arguments").put("whom", "Ann");
    assertThat(client.ask("prompts/get", params).at("/messages/0/content/text").asText())
        .isEqualTo("Hi Ann");
    ObjectNode typed = none();
    typed.putObject("ref").put("type", "ref/prompt").put("name", "a_greeting");
    typed.putObject("argument").put("name", "whom").put("value", "A");
    assertThat(client.ask("completion/complete", typed).at("/completion/values/0").asText())
        .isEqualTo("Ann");
  }

  @Test
  void resourcesAreReadWhereTheyAre() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port(), "b", mad("b", 0).port()));
    await().until(() -> client.ask("resources/list", none()).path("resources").size() == 2);
    await()
        .until(
            () -> client.ask("resources/templates/list", none()).path("resourceTemplates").size(),
            size -> size == 2);
    JsonNode read = client.ask("resources/read", none().put("uri", "b://things/7"));
    assertThat(read.at("/contents/0/text").asText()).isEqualTo("this is b://things/7");
    client.send("resources/read", StdioClient.modern(none().put("uri", "c://nothing")));
    assertThat(client.response().path("error").path("code").asInt()).isEqualTo(-32602);
  }

  @Test
  void aLegacyClientUnsubscribesFromWhatItSubscribedTo() throws Exception {
    TestMad mad = mad("a", 0);
    StdioClient client = clientOf(Map.of("a", mad.port()));
    untilItWorks(client, "a_note");
    client.send("resources/subscribe", none().put("uri", "a://things/1"));
    assertThat(client.response().has("result")).isTrue();
    await().until(() -> mad.watchers.size() == 1);
    client.send("resources/unsubscribe", none().put("uri", "a://things/1"));
    assertThat(client.response().has("result")).isTrue();
    await().until(mad.watchers::isEmpty);
    client.send("resources/subscribe", none().put("uri", "x://things/1"));
    assertThat(client.response().path("error").path("code").asInt()).isEqualTo(-32002);
  }

  @Test
  void itEndsWithItsInputAlsoWithCallsInFlight() throws Exception {
    TestMad mad = mad("a", 0);
    StdioClient client = clientOf(Map.of("a", mad.port()));
    client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    assertThat(mad.begun.await(10, TimeUnit.SECONDS)).isTrue();
    client.close();
    await().until(client.ended::isDone);
    assertThat(client.ended.join()).isEqualTo("the client has closed its end");
    assertThat(mad.interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }
}
