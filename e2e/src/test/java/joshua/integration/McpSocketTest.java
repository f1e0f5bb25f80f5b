package joshua.integration;

import static joshua.integration.GraceCalls.texts;
import static joshua.integration.McpClient.call;
import static joshua.integration.McpClient.notification;
import static joshua.integration.McpClient.request;
import static joshua.integration.McpClient.withMeta;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MCP over a WebSocket, in both eras (wire contract §3). */
class McpSocketTest extends GroupTest {
  private static final String UPDATED = "notifications/resources/updated";

  private final ObjectNode queue =
      Json.object().put("uri", "grace://clients/%s/queue".formatted(bob));
  @AutoClose private FrameClient socket;

  @BeforeEach
  void subscribe() {
    socket = FrameClient.ofMcp(group.gracePort(), "mcp");
    grace.subscribe(bob, toBob);
  }

  private JsonNode answer(ObjectNode request) {
    socket.send(request.toString());
    return socket.next();
  }

  private ObjectNode poll() {
    return call("grace_poll_messages", "client_id", bob, "wait_ms", 600_000);
  }

  @Test
  void bothErasAreSpokenOnOneSocket() throws Exception {
    JsonNode begun = answer(request("initialize", Json.object()));
    JsonNode found = answer(withMeta(request("server/discover", Json.object())));
    JsonNode listed = answer(request("tools/list", Json.object()));
    JsonNode refused = answer(withMeta(request("ping", Json.object())));
    socket.send("{\"jsonrpc\":");
    JsonNode broken = socket.next();
    assertThat(begun.at("/result/protocolVersion").asText()).isEqualTo("2025-11-25");
    assertThat(found.at("/result/resultType").asText()).isEqualTo("complete");
    assertThat(listed.at("/result/tools").findValuesAsText("name")).contains("grace_request");
    assertThat(refused.at("/error/code").asInt()).isEqualTo(-32601);
    assertThat(broken.at("/error/code").asInt()).isEqualTo(-32700);
  }

  @Test
  void cancelledCallHasNoAnswerAndTakesNothing() throws Exception {
    socket.send(poll().toString());
    socket.send(
        notification("notifications/cancelled", Json.object().put("requestId", 1)).toString());
    sendToBob("kept");
    assertThat(texts(grace.poll(bob, "wait_ms", 60_000))).containsExactly("kept");
    assertThat(answer(request("ping", Json.object()).put("id", "after")).path("id").asText())
        .isEqualTo("after");
  }

  @Test
  void pollOfOnesOwnSocketIsNotAnothers() throws Exception {
    socket.send(poll().toString());
    grace.awaitPoll(bob);
    ObjectNode subscribe = call("grace_subscribe", "client_id", bob, "topics", "mad.broadcast");
    JsonNode subscribed = answer(subscribe.put("id", 2));
    assertThat(subscribed.at("/result/structuredContent/status").asText()).isEqualTo("success");
    assertThat(subscribed.at("/result/structuredContent").has("already_polling_since")).isFalse();
  }

  @Test
  void listenersOfBothErasAreToldThatSomethingWaits() throws Exception {
    answer(request("initialize", Json.object()));
    answer(request("resources/subscribe", queue));
    sendToBob("one");
    JsonNode legacy = socket.next();
    answer(request("resources/unsubscribe", queue));
    ObjectNode params = Json.object();
    params.putObject("notifications").putArray("resourceSubscriptions").add(queue.path("uri"));
    JsonNode acknowledged = answer(withMeta(request("subscriptions/listen", params)));
    JsonNode modern = socket.next();
    assertThat(legacy.path("method").asText()).isEqualTo(UPDATED);
    assertThat(legacy.path("params")).isEqualTo(queue);
    assertThat(acknowledged.path("method").asText()).contains("acknowledged");
    assertThat(modern.path("method").asText()).isEqualTo(UPDATED);
    assertThat(modern.path("params").has("_meta")).isTrue();
  }

  @Test
  void anotherSubProtocolIsRefused() {
    assertThatThrownBy(() -> FrameClient.ofMcp(group.gracePort(), "other"))
        .hasRootCauseMessage("Unexpected HTTP response status code 400");
  }
}
