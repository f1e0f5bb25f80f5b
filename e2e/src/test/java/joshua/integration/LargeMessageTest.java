package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import joshua.kernel.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A message that is larger than an answer to a model may be, before small ones. */
@ExtendWith(SharedGroup.class)
class LargeMessageTest {
  private static final int MOST = 24 * 1024;

  private final TestNames names = new TestNames();
  private final String bob = names.of("bob");
  private final GraceCalls grace;
  private final McpClient client;

  LargeMessageTest(TestGroup group) {
    this.grace = new GraceCalls(group);
    this.client = new McpClient(group.gracePort());
  }

  @BeforeEach
  void send() {
    grace.subscribe(bob, "mad.direct." + bob);
    send("\u00e4\ud83d\ude00\"\\".repeat(20_000));
    for (int i = 1; i <= 5; i++) {
      send("m" + i);
    }
  }

  private void send(String text) {
    GraceCalls.succeeded(grace.send(names.of("ann"), "mad.direct." + bob, Map.of("text", text)));
  }

  private JsonNode poll(ObjectNode more) throws Exception {
    JsonNode result = client.called("grace_poll_messages", more.put("client_id", bob));
    JsonNode answer = result.path("structuredContent");
    if (more.path("max_bytes").asInt() < MOST) {
      assertThat(result.at("/content/0/text").asText().length()).isLessThan(MOST);
    }
    return GraceCalls.succeeded(answer);
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
    String cursor = grace.subscribe(bob, "mad.direct." + bob).path("cursor").asText();
    JsonNode cut = poll(Json.object().put("cursor", cursor).put("max_bytes", 20_000));
    int bytes = cutBytes(cut);
    assertThat(cutBytes(poll(Json.object().put("cursor", cursor)))).isEqualTo(bytes);
    String next = cut.path("cursor").asText();
    JsonNode whole = poll(Json.object().put("cursor", next).put("max_bytes", bytes));
    assertThat(GraceCalls.texts(whole).getFirst()).hasSize(100_000);
    assertThat(GraceCalls.texts(poll(Json.object().put("cursor", next))))
        .containsExactly("m1", "m2", "m3", "m4", "m5");
  }

  @Test
  void withoutACursorTheNextPollGetsItWholeOrPassesIt() throws Exception {
    int bytes = cutBytes(poll(Json.object()));
    JsonNode whole = poll(Json.object().put("max_bytes", bytes));
    assertThat(GraceCalls.texts(whole).getFirst()).hasSize(100_000);
    assertThat(whole.has("cut")).isFalse();
    assertThat(GraceCalls.texts(poll(Json.object()))).containsExactly("m1", "m2", "m3", "m4", "m5");
    send("x".repeat(100_000));
    send("m6");
    assertThat(poll(Json.object()).path("cut")).hasSize(1);
    assertThat(GraceCalls.texts(poll(Json.object()))).containsExactly("m6");
  }

  @Test
  void aProgramGetsItWhole() {
    JsonNode all = grace.poll(bob);
    assertThat(GraceCalls.texts(all)).hasSize(6);
    assertThat(all.has("cut")).isFalse();
  }
}
