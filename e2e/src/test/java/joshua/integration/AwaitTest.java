package joshua.integration;

import static joshua.integration.FrameClient.input;
import static joshua.integration.GraceCalls.code;
import static joshua.integration.GraceCalls.succeeded;
import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.InstantSource;
import java.util.Map;
import joshua.kernel.Json;
import joshua.kernel.MonotonicIds;
import joshua.testing.Await;
import org.junit.jupiter.api.Test;

/** Programs that wait for messages of clients, so that they wake them. */
class AwaitTest extends GroupTest {
  private final MonotonicIds ids = new MonotonicIds(InstantSource.system());

  private FrameClient waits(String client) {
    FrameClient socket = group.client();
    socket.begin("grace_await", waiting(client, 60_000));
    return socket;
  }

  private String waiting(String client, int most) {
    return input("client_id", client, "holder", ids.next(), "wait_ms", most);
  }

  private JsonNode sendToAnn() {
    return succeeded(grace.send(bob, toAnn, Map.of("text", "hi")));
  }

  @Test
  void aMessageWakesAnAgentThatHasNeverCalled() {
    FrameClient waiter = waits(ann);
    Await.until( // own messages wake nobody
        "its sender is told", () -> grace.send(ann, toAnn, Map.of()).path("wakes").asBoolean());
    JsonNode sent = sendToAnn();
    assertThat(sent.path("addressee").asText()).isEqualTo("queued");
    assertThat(sent.path("wakes").asBoolean()).isTrue();
    JsonNode rung = waiter.next();
    assertThat(rung.path("due").asBoolean()).isTrue();
    assertThat(rung.path("waiting").asInt()).isEqualTo(1);
    assertThat(rung.path("from").asText()).isEqualTo(bob);
    assertThat(rung.path("oldest_at").asText()).endsWith("Z");
    assertThat(rung.toString()).doesNotContain("hi");
    assertThat(sendToAnn().has("wakes")).as("nobody waits any more").isFalse();
    assertThat(code(grace.poll(ann))).isEqualTo("not_subscribed");
    JsonNode subscribed = grace.subscribe(ann, "mad.topic." + names.of("x"));
    assertThat(subscribed.path("topics").toString())
        .contains("\"" + toAnn + "\"", "\"mad.broadcast\"");
    assertThat(texts(grace.poll(ann))).containsExactly("hi", "hi");
  }

  /** The asker may have no queue: a late reply waits for it all the same. */
  @Test
  void aReplyThatComesTooLateWaits() {
    grace.subscribe(bob, toBob);
    JsonNode none = succeeded(grace.request(ann, bob, Map.of("text", "?"), "timeout_ms", 1));
    assertThat(none.path("reply").isNull()).isTrue();
    assertThat(none.path("note").asText())
        .isEqualTo(
            "A reply that comes later waits for you: call grace_subscribe, then grace_poll_messages.");
    assertThat(sendToAnn().path("addressee").asText()).isEqualTo("queued");
    JsonNode refused = grace.poll(ann);
    assertThat(refused.path("message").asText()).endsWith("what waits comes then.");
    grace.subscribe(ann, toAnn);
    assertThat(texts(grace.poll(ann))).containsExactly("hi");
    assertThat(grace.request(ann, names.of("nobody"), Map.of()).has("note"))
        .as("nobody is there to reply")
        .isFalse();
  }

  @Test
  void itIsForProgramsThatKnowOfIt() throws Exception {
    McpClient mcp = new McpClient(group.gracePort());
    assertThat(mcp.post(McpClient.request("tools/list", Json.object())).body())
        .doesNotContain("grace_await");
    JsonNode answer =
        McpClient.tree(mcp.post(McpClient.call("grace_await", Json.parse(waiting(ann, 0)))));
    assertThat(answer.at("/result/structuredContent/due").isBoolean()).isTrue();
    assertThat(group.call("grace_awiat").path("message").asText()).doesNotContain("grace_await");
  }
}
