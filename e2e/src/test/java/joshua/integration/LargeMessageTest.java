package joshua.integration;

import static joshua.integration.GraceCalls.succeeded;
import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import joshua.kernel.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A message that is larger than an answer to a model may be, before small ones. */
class LargeMessageTest extends GroupTest {
  private static final int MOST = 24 * 1024;

  private McpClient client;

  @BeforeEach
  void send() {
    client = new McpClient(group.gracePort());
    grace.subscribe(bob, toBob);
    send("\u00e4\ud83d\ude00\"\\".repeat(20_000));
    for (int i = 1; i <= 5; i++) {
      send("m" + i);
    }
  }

  private void send(String text) {
    succeeded(grace.send(ann, toBob, Map.of("text", text)));
  }

  private JsonNode poll(ObjectNode more) throws Exception {
    ObjectNode poll = McpClient.call("grace_poll_messages", more.put("client_id", bob));
    JsonNode result = McpClient.tree(client.post(poll)).path("result");
    JsonNode answer = result.path("structuredContent");
    if (more.path("max_bytes").asInt() < MOST) {
      assertThat(result.at("/content/0/text").asText().length()).isLessThan(MOST);
    }
    return succeeded(answer);
  }

  private static int cutBytes(JsonNode answer) {
    assertThat(answer.path("messages")).hasSize(1);
    JsonNode envelope = answer.at("/messages/0");
    assertThat(answer.at("/cut/0")).isEqualTo(envelope.path("message_id"));
    assertThat(envelope.at("/payload/beginning").asText())
        .startsWith("{\"text\":\"\u00e4\ud83d\ude00");
    assertThat(envelope.path("channel").asText()).startsWith("mad.direct.");
    assertThat(answer.path("remaining").asInt()).isEqualTo(5);
    int bytes = envelope.at("/payload/too_large").asInt();
    assertThat(answer.path("note").asText()).contains("max_bytes " + bytes);
    return bytes;
  }

  @Test
  void withACursorItStandsInNobodysWayAndCanBeHadWhole() throws Exception {
    String cursor = grace.subscribe(bob, toBob).path("cursor").asText();
    JsonNode cut = poll(Json.object().put("cursor", cursor).put("max_bytes", 20_000));
    int bytes = cutBytes(cut);
    assertThat(cutBytes(poll(Json.object().put("cursor", cursor)))).isEqualTo(bytes);
    String next = cut.path("cursor").asText();
    JsonNode whole = poll(Json.object().put("cursor", next).put("max_bytes", bytes));
    assertThat(texts(whole).getFirst()).hasSize(100_000);
    assertThat(texts(poll(Json.object().put("cursor", next))))
        .containsExactly("m1", "m2", "m3", "m4", "m5");
  }

  @Test
  void aProgramGetsItWhole() {
    JsonNode all = grace.poll(bob);
    assertThat(texts(all)).hasSize(6);
    assertThat(all.has("cut")).isFalse();
  }
}
