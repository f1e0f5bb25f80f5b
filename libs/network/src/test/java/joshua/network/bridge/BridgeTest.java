package joshua.network.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.Role;
import joshua.testing.Fault;
import joshua.testing.Faults;
import joshua.testing.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bridge between a client on pipes and MADs on real sockets. */
class BridgeTest {
  private static final long FRAME_LIMIT = 64 * 1024;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final AtomicReference<Optional<String>> token = new AtomicReference<>(Optional.empty());

  private <T extends AutoCloseable> T opened(T part) {
    open.addFirst(part);
    return part;
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable part : open) {
      part.close();
    }
  }

  private TestMad mad(String name, int port) throws Exception {
    return opened(new TestMad(name, port));
  }

  private StdioClient clientOf(Map<String, Integer> ports) throws IOException {
    List<Bridge.Mad> mads =
        ports.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(mad ->
                new Bridge.Mad(
                    mad.getKey(),
                    TestMad.catalogue(mad.getKey()),
                    () ->
                        new Whereabouts.Place(
                            URI.create("ws://127.0.0.1:%d/mcp".formatted(mad.getValue())),
                            token.get())))
            .toList();
    Bridge bridge =
        opened(
            Bridge.start(
                new Bridge.Config("1", "For tests.", "Start it.", FRAME_LIMIT, 100_000),
                mads,
                new Bridge.Clocks(InstantSource.system(), System::nanoTime, Thread::sleep)));
    return opened(new StdioClient(bridge)).reading();
  }

  private static ObjectNode none() {
    return Json.object();
  }

  private static String code(JsonNode result) {
    return result.path("structuredContent").path("code").asText();
  }

  private static String outcome(JsonNode result) {
    return result.path("structuredContent").path("outcome").asText();
  }

  private static void untilItWorks(StdioClient client, String tool) {
    await().until(() -> !client.call(tool, none()).path("isError").asBoolean());
  }

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
  void aMadThatIsDownHidesNoToolsAndIsAnsweredForInASentence() throws Exception {
    int nobody = FreePort.any();
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port(), "b", nobody));
    assertThat(client.tools()).contains("a_note", "b_note", "b_wait");
    JsonNode result = client.call("b_note", none());
    assertThat(result.path("isError").asBoolean()).isTrue();
    assertThat(code(result)).isEqualTo("bus_unavailable");
    assertThat(outcome(result)).isEqualTo("not_sent");
    assertThat(result.path("content").path(0).path("text").asText())
        .isEqualTo(
            "Joshua's b isn't there: nothing listens on 127.0.0.1:%d. Start it.".formatted(nobody));
    assertThat(client.call("a_note", none()).has("isError")).isFalse();
  }

  @Test
  void aMadThatComesIsUsedAtOnceAndListsAreSaidToHaveChanged() throws Exception {
    int port = FreePort.any();
    StdioClient client = clientOf(Map.of("a", port));
    client.send(
        "initialize",
        none().put("protocolVersion", "2025-11-25").set("capabilities", Json.object()));
    assertThat(client.response().path("result").path("capabilities").has("prompts")).isTrue();
    client.tell("notifications/initialized", none());
    assertThat(code(client.call("a_note", none()))).isEqualTo("bus_unavailable");
    mad("a", port);
    await().until(() -> client.heard("notifications/tools/list_changed") > 0);
    assertThat(client.call("a_note", none()).has("isError")).isFalse();
    assertThat(client.tools()).contains("a_count");
    await().until(() -> client.heard("notifications/prompts/list_changed") > 0);
    await().until(() -> client.heard("notifications/resources/list_changed") > 0);
  }

  @Test
  void aCallInFlightWhenTheConnectionDiesIsAnsweredAndLaterOnesWork() throws Exception {
    TestMad mad = mad("a", 0);
    Faults network = opened(Faults.before(mad.port()));
    StdioClient client = clientOf(Map.of("a", network.port()));
    untilItWorks(client, "a_note");
    client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    assertThat(mad.begun.await(10, TimeUnit.SECONDS)).isTrue();
    network.inject(new Fault.Cut());
    JsonNode result = client.response().path("result");
    assertThat(code(result)).isEqualTo("bus_unavailable");
    assertThat(outcome(result)).isEqualTo("unknown");
    assertThat(code(client.call("a_note", none()))).isEqualTo("bus_unavailable");
    network.heal();
    untilItWorks(client, "a_note");
  }

  @Test
  void aMadThatStopsAndStartsAgainIsUsedAgain() throws Exception {
    TestMad first = new TestMad("a", 0);
    int port = first.port();
    StdioClient client = clientOf(Map.of("a", port));
    untilItWorks(client, "a_note");
    first.close();
    assertThat(outcome(client.call("a_note", none()))).isNotEmpty();
    mad("a", port);
    untilItWorks(client, "a_note");
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
      assertThat(client.response().path("result").has("isError")).isFalse();
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
  void aResourceOfAMadThatIsDownIsRefusedWithTheSentence() throws Exception {
    StdioClient client = clientOf(Map.of("a", FreePort.any()));
    client.send("resources/read", StdioClient.modern(none().put("uri", "a://things/7")));
    JsonNode error = client.response().path("error");
    assertThat(error.path("message").asText()).startsWith("Joshua's a isn't there");
    assertThat(error.at("/data/code").asText()).isEqualTo("bus_unavailable");
  }

  @Test
  void updatesArePushedAlsoAfterTheMadWasAway() throws Exception {
    TestMad mad = mad("a", 0);
    Faults network = opened(Faults.before(mad.port()));
    StdioClient client = clientOf(Map.of("a", network.port()));
    ObjectNode listen = none();
    listen.putObject("notifications").putArray("resourceSubscriptions").add("a://things/1");
    client.send("subscriptions/listen", StdioClient.modern(listen));
    await().until(() -> client.heard("notifications/subscriptions/acknowledged") == 1);
    assertThat(client.notifications.getFirst().at("/params/notifications").toString())
        .isEqualTo("{\"resourceSubscriptions\":[\"a://things/1\"]}");
    await().until(() -> mad.watchers.size() == 1);
    mad.watchers.forEach(Runnable::run);
    await().until(() -> client.heard("notifications/resources/updated") >= 1);

    network.inject(new Fault.Cut());
    await().until(mad.watchers::isEmpty);
    long before = client.heard("notifications/resources/updated");
    network.heal();
    await().until(() -> client.heard("notifications/resources/updated") > before);
    await().until(() -> mad.watchers.size() == 1);
    long sofar = client.heard("notifications/resources/updated");
    mad.watchers.forEach(Runnable::run);
    await().until(() -> client.heard("notifications/resources/updated") > sofar);
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
  void atMostSoManyResourcesOfOneMadAreWatched() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port()));
    untilItWorks(client, "a_note");
    for (int i = 0; i < MadLink.MAX_WATCHES; i++) {
      client.send("resources/subscribe", none().put("uri", "a://things/" + i));
      assertThat(client.response().has("result")).isTrue();
    }
    client.send("resources/subscribe", none().put("uri", "a://things/one-more"));
    assertThat(client.response().has("error")).isTrue();
  }

  @Test
  void atMostSoManyCallsAreUnderWay() throws Exception {
    TestMad mad = mad("a", 0);
    StdioClient client = clientOf(Map.of("a", mad.port()));
    untilItWorks(client, "a_note");
    for (int i = 0; i < MadSession.MAX_CALLS; i++) {
      client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    }
    assertThat(code(client.call("a_note", none()))).isEqualTo("overloaded");
  }

  @Test
  void aSilentMadIsGivenUpAndItsCallsAreAnswered() throws Exception {
    TestMad mad = mad("a", 0);
    Faults network = opened(Faults.before(mad.port()));
    StdioClient client = clientOf(Map.of("a", network.port()));
    untilItWorks(client, "a_note");
    client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    network.inject(new Fault.Stall());
    await().atMost(Duration.ofSeconds(40)).until(client::hasResponse);
    assertThat(outcome(client.response().path("result"))).isEqualTo("unknown");
  }

  @Test
  void aTokenThatIsWantedIsAskedForInASentence() throws Exception {
    TestMad mad =
        opened(
            new TestMad(
                "a",
                0,
                (authorization, id) ->
                    "Bearer s3cret".equals(authorization)
                        ? Optional.of(new Caller(Optional.of("ann"), Role.ADMIN, id))
                        : Optional.empty()));
    StdioClient client = clientOf(Map.of("a", mad.port()));
    assertThat(client.call("a_note", none()).at("/content/0/text").asText())
        .contains("wants a bearer token; set JOSHUA_TOKEN_FILE");
    token.set(Optional.of("wrong"));
    assertThat(client.call("a_note", none()).at("/content/0/text").asText())
        .contains("doesn't know the token")
        .doesNotContain("wrong");
    token.set(Optional.of("s3cret"));
    untilItWorks(client, "a_note");
  }

  @Test
  void whoeverListensThereInsteadIsNamed() throws Exception {
    TestMad other = mad("other", 0);
    StdioClient client = clientOf(Map.of("a", other.port()));
    assertThat(client.call("a_note", none()).at("/content/0/text").asText())
        .startsWith(
            "What listens on 127.0.0.1:%d isn't Joshua's a, but other.".formatted(other.port()));
  }

  @Test
  void aLineBeyondTheLimitIsAnsweredByItsIdAndTheNextOneIsRead() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port()));
    char[] much = new char[(int) FRAME_LIMIT];
    Arrays.fill(much, 'x');
    String text = new String(much);
    client.write(
        "{\"jsonrpc\":\"2.0\",\"id\":\"first\",\"method\":\"x\",\"params\":{\"t\":\""
            + text
            + "\"}}");
    client.write(
        "{\"params\":{\"id\":3,\"t\":\""
            + text
            + "\"},\"id\":7,\"jsonrpc\":\"2.0\",\"method\":\"x\"}");
    client.write(text + text + text);
    JsonNode first = client.response();
    assertThat(first.path("id").asText()).isEqualTo("first");
    assertThat(first.at("/error/data/code").asText()).isEqualTo("too_large");
    assertThat(client.response().path("id").asInt()).isEqualTo(7);
    assertThat(client.response().path("id").isNull()).isTrue();
    assertThat(client.tools()).contains("a_note");
  }

  @Test
  void aCallThatIsTooLargeForTheMadIsRefusedAndHarmsNoOther() throws Exception {
    TestMad mad = mad("a", 0);
    StdioClient client = clientOf(Map.of("a", mad.port()));
    untilItWorks(client, "a_note");
    client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    ObjectNode params = StdioClient.arguments("a_note", none());
    int room = (int) FRAME_LIMIT - Json.write(StdioClient.modern(params)).length() - 120;
    params = StdioClient.arguments("a_note", none().put("text", "x".repeat(room)));
    assertThat(code(client.ask("tools/call", params))).isEqualTo("too_large");
    assertThat(client.call("a_note", none()).has("isError")).isFalse();
  }

  @Test
  void whatIsNoMessageIsAnsweredAndEmptyLinesAreNot() throws Exception {
    StdioClient client = clientOf(Map.of());
    client.write("");
    client.write("  \r");
    client.write("nonsense");
    assertThat(client.response().at("/error/code").asInt()).isEqualTo(-32700);
  }

  @Test
  void itEndsWithItsInputAlsoWithCallsInFlight() throws Exception {
    TestMad mad = mad("a", 0);
    StdioClient client = clientOf(Map.of("a", mad.port()));
    client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    assertThat(mad.begun.await(10, TimeUnit.SECONDS)).isTrue();
    client.close();
    await().atMost(Duration.ofSeconds(1)).until(client.ended::isDone);
    assertThat(client.ended.join()).isEqualTo("the client has closed its end");
    assertThat(mad.interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }
}
