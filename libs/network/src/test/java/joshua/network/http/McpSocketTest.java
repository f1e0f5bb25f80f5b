package joshua.network.http;

import static joshua.network.http.McpFixture.INITIALIZE;
import static joshua.network.http.McpFixture.QUEUE;
import static joshua.network.http.McpFixture.call;
import static joshua.network.http.McpFixture.legacy;
import static joshua.network.http.McpFixture.modern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.network.Authenticator;
import joshua.network.FrameSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class McpSocketTest {
  private McpFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = new McpFixture(Authenticator.open(), 10_000);
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private CollectingWsClient open() {
    return CollectingWsClient.open(fixture.port(), "/mcp", "Sec-WebSocket-Protocol", "mcp");
  }

  private static String cancel(int id) {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}"
        .formatted(id);
  }

  @Test
  void theSubProtocolIsChosenAmongOthersAndTakenForGrantedWithoutAny() throws Exception {
    try (RawClient raw = new RawClient(fixture.port())) {
      assertThat(raw.upgrade("/mcp", "Sec-WebSocket-Protocol: foo, mcp\n"))
          .startsWith("HTTP/1.1 101")
          .containsIgnoringCase("Sec-WebSocket-Protocol: mcp\r\n");
    }
    try (RawClient raw = new RawClient(fixture.port())) {
      assertThat(raw.upgrade("/mcp", "Sec-WebSocket-Protocol: foo\n")).startsWith("HTTP/1.1 400");
    }
    try (RawClient raw = new RawClient(fixture.port())) {
      assertThat(raw.upgrade("/mcp", ""))
          .startsWith("HTTP/1.1 101")
          .doesNotContainIgnoringCase("Sec-WebSocket-Protocol");
    }
  }

  @Test
  void aLegacyClientInitializesCallsAndIsPushedTo() throws Exception {
    try (CollectingWsClient client = open()) {
      client.send(legacy(1, "initialize", INITIALIZE));
      JsonNode initialized = client.next().path("result");
      assertThat(initialized.at("/serverInfo/name").asText()).isEqualTo("test");
      assertThat(initialized.at("/capabilities/resources/subscribe").asBoolean()).isTrue();
      client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
      client.send(legacy(2, "tools/list", ""));
      assertThat(client.next().at("/result/tools/0/name").asText()).isEqualTo("echo");
      client.send(legacy(3, "tools/call", call("echo", "hi")));
      JsonNode result = client.next().path("result");
      assertThat(result.has("resultType")).isFalse();
      assertThat(result.at("/structuredContent/text").asText()).isEqualTo("hi");
      client.send(legacy(4, "resources/subscribe", "\"uri\":\"" + QUEUE + "\""));
      assertThat(client.next().path("id").asInt()).isEqualTo(4);
      fixture.queue.change();
      assertThat(client.next().path("method").asText())
          .isEqualTo("notifications/resources/updated");
      client.send(legacy(5, "resources/unsubscribe", "\"uri\":\"" + QUEUE + "\""));
      assertThat(client.next().path("id").asInt()).isEqualTo(5);
      assertThat(fixture.queue.watchers).isEmpty();
      client.send(legacy(6, "resources/read", "\"uri\":\"test://none\""));
      assertThat(client.next().at("/error/code").asInt()).isEqualTo(-32002);
      await().until(() -> pushed(client));
    }
  }

  @Test
  void aRefusalIsReadInTheTextAndInTheMetaObjectInBothEras() throws Exception {
    String wrong = "\"name\":\"echo\",\"arguments\":{\"txt\":1}";
    try (CollectingWsClient client = open()) {
      client.send(modern(1, "tools/call", wrong));
      JsonNode modern = client.next().path("result");
      assertThat(modern.path("_meta")).hasSize(2);
      client.send(legacy(2, "tools/call", wrong));
      JsonNode legacy = client.next().path("result");
      assertThat(legacy.path("_meta")).hasSize(1);
      for (JsonNode result : List.of(modern, legacy)) {
        McpFixture.assertRefused(result, "invalid_input", "txt is not a member of the input");
      }
    }
  }

  private boolean pushed(CollectingWsClient client) throws Exception {
    fixture.changes.toolsChanged();
    String message = client.messages.poll(1, TimeUnit.SECONDS);
    return message != null && message.contains("notifications/tools/list_changed");
  }

  @Test
  void aLegacyClientIsAskedByARequestAndItsAnswerReachesTheTool() throws Exception {
    try (CollectingWsClient client = open()) {
      client.send(legacy(1, "initialize", INITIALIZE.replace("{},", "{\"elicitation\":{}},")));
      client.next();
      client.send(legacy(2, "tools/call", call("ask", "")));
      JsonNode question = client.next();
      assertThat(question.path("method").asText()).isEqualTo("elicitation/create");
      client.send(
          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}}"
              .formatted(question.path("id")));
      assertThat(client.next().at("/result/structuredContent/text").asText()).isEqualTo("Ann");
    }
  }

  @Test
  void requestsAreExecutedInOrderAndResponsesOvertake() throws Exception {
    try (CollectingWsClient client = open()) {
      client.send(modern(1, "tools/call", call("wait", "first")));
      client.send(modern(2, "tools/call", call("wait", "second")));
      client.send(modern(3, "tools/call", call("echo", "third")));
      assertThat(client.next().path("id").asInt()).isEqualTo(3);
      assertThat(fixture.began).containsExactly("first", "second");
      fixture.latch.countDown();
      assertThat(client.next().path("id").asInt() + client.next().path("id").asInt()).isEqualTo(3);
    }
  }

  @Test
  void bothErasAreSpokenOnOneSocketAndTheModernOneKnowsNoInitialize() throws Exception {
    try (CollectingWsClient client = open()) {
      client.send(legacy(1, "ping", ""));
      assertThat(client.next().path("result").isEmpty()).isTrue();
      client.send(modern(2, "server/discover", ""));
      assertThat(client.next().at("/result/supportedVersions/0").asText()).isEqualTo("2026-07-28");
      client.send(modern(3, "initialize", ""));
      assertThat(client.next().at("/error/code").asInt()).isEqualTo(-32601);
      client.send("nonsense");
      assertThat(client.next().at("/error/code").asInt()).isEqualTo(-32700);
    }
  }

  @Test
  void listenersShareASocketAndEachIsCancelledByItsId() throws Exception {
    String filter = "\"notifications\":{\"resourceSubscriptions\":[\"" + QUEUE + "\"]}";
    try (CollectingWsClient client = open()) {
      client.send(modern(1, "subscriptions/listen", filter));
      client.next();
      client.send(modern(2, "subscriptions/listen", filter));
      client.next();
      client.send(cancel(1));
      await().until(() -> fixture.queue.watchers.size() == 1);
      fixture.queue.change();
      assertThat(
              client
                  .next()
                  .path("params")
                  .path("_meta")
                  .path("io.modelcontextprotocol/subscriptionId")
                  .asInt())
          .isEqualTo(2);
    }
    await().until(() -> fixture.queue.watchers.isEmpty());
  }

  @Test
  void aCancelledCallIsInterruptedAndNeverAnswered() throws Exception {
    try (CollectingWsClient client = open()) {
      client.send(modern(1, "tools/call", call("hang", "")));
      assertThat(fixture.hanging.await(5, TimeUnit.SECONDS)).isTrue();
      client.send(cancel(1));
      assertThat(fixture.interrupted.await(5, TimeUnit.SECONDS)).isTrue();
      client.send(modern(2, "tools/call", call("echo", "")));
      assertThat(client.next().path("id").asInt()).isEqualTo(2);
    }
  }

  /** A notification has no response that could say that it was ignored. */
  @Test
  void aCancellationIsHeededHoweverFastItComes() throws Exception {
    try (McpFixture slow = new McpFixture(Authenticator.open(), 1, () -> 0, McpFixture.PASSING);
        CollectingWsClient client = CollectingWsClient.open(slow.port(), "/mcp")) {
      client.send(modern(1, "tools/call", call("hang", "")));
      assertThat(slow.hanging.await(5, TimeUnit.SECONDS)).isTrue();
      for (int i = 2; i < 5; i++) {
        client.send(cancel(i));
      }
      client.send(cancel(1));
      assertThat(slow.interrupted.await(5, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void theEndOfTheSocketInterruptsItsCalls() throws Exception {
    try (CollectingWsClient client = open()) {
      client.send(modern(1, "tools/call", call("hang", "")));
      assertThat(fixture.hanging.await(5, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(fixture.interrupted.await(5, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void nonsenseIsLimitedInItsRateAsRequestsAre() throws Exception {
    try (McpFixture slow = new McpFixture(Authenticator.open(), 1);
        CollectingWsClient client = CollectingWsClient.open(slow.port(), "/mcp")) {
      for (String nonsense : new String[] {"nonsense", "[]"}) {
        client.send(nonsense);
        assertThat(client.next().at("/error/code").asInt()).isLessThan(-32000);
      }
      client.send("{}");
      JsonNode error = client.next().path("error");
      assertThat(error.path("code").asInt()).isEqualTo(-31000);
      assertThat(error.at("/data/code").asText()).isEqualTo("rate_limited");
      assertThat(error.at("/data/retry_after_ms").asLong()).isBetween(1L, 1000L);
    }
  }

  @Test
  void anAnswerIsNeverAnswered() throws Exception {
    try (CollectingWsClient client = open()) {
      client.send(
          "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"x\"}}");
      client.send(legacy(1, "ping", ""));
      assertThat(client.next().path("id").asInt()).isEqualTo(1);
    }
  }

  @Test
  void oneRequestTooManyIsRefusedAtOnce() throws Exception {
    try (CollectingWsClient client = open()) {
      for (int i = 0; i <= FrameSession.MAX_IN_FLIGHT; i++) {
        client.send(legacy(i, "tools/call", call("wait", "x")));
      }
      JsonNode refused = client.next();
      assertThat(refused.path("id").asInt()).isEqualTo(FrameSession.MAX_IN_FLIGHT);
      assertThat(refused.at("/error/data/code").asText()).isEqualTo("overloaded");
    }
  }

  @Test
  void aStopEndsListeningWithAResultBeforeTheSocketCloses() throws Exception {
    try (CollectingWsClient client = open()) {
      client.send(modern(1, "subscriptions/listen", "\"notifications\":{}"));
      client.next();
      fixture.server.close();
      assertThat(client.next().at("/result/resultType").asText()).isEqualTo("complete");
      assertThat(client.closeCode()).isEqualTo(1001);
    }
  }
}
