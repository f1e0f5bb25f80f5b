package joshua.integration;

import static joshua.integration.FrameClient.input;
import static joshua.integration.GraceCalls.succeeded;
import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import joshua.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers that wait, go away, or share a name, and messages larger than answers may be. */
class PollersTest extends GroupTest {
  private final String topic = "mad.topic." + names.of("x");

  @BeforeEach
  void subscribe() {
    grace.subscribe(bob, topic);
  }

  private void send(String text) {
    succeeded(grace.send(ann, topic, Map.of("text", text)));
  }

  private JsonNode both() {
    return Await.value(
        "both", () -> grace.poll(bob, "cursor", cursor()), it -> it.at("/messages/1").isObject());
  }

  private String cursor() {
    return grace.subscribe(bob, topic).path("cursor").asText();
  }

  @Test
  void anAnswerThatWaitedForAnEarlierOneWhenItsSocketEndedIsNotLost() {
    String carol = names.of("carol");
    grace.subscribe(carol, "mad.topic." + names.of("quiet"));
    send("one");
    FrameClient caller = group.client();
    caller.begin("grace_poll_messages", input("client_id", carol, "wait_ms", 600_000));
    caller.begin("grace_poll_messages", input("client_id", bob));
    caller.send("{\"tool_name\":\"none\",\"tool_input\":{},\"request_id\":1}");
    assertThat(caller.next().path("request_id").asInt()).isEqualTo(1);
    caller.abort();
    assertThat(texts(grace.poll(bob))).containsExactly("one");
  }

  @Test
  void whatAClientSentItselfIsMarkedOrLeftOut() {
    String sent = grace.send(bob, topic, Map.of("text", "mine")).path("message_id").asText();
    send("yours");
    JsonNode polled = both();
    assertThat(polled.path("own").toString()).isEqualTo("[\"%s\"]".formatted(sent));
    grace.poll(bob);
    succeeded(
        group.call("grace_subscribe", "client_id", bob, "topics", List.of(toBob), "own", false));
    assertThat(grace.send(bob, topic, Map.of("text", "mine")).path("queues").asInt()).isZero();
    succeeded(grace.send(bob, toBob, Map.of("text", "a note")));
    send("yours");
    JsonNode later = both();
    assertThat(texts(later)).containsExactly("a note", "yours");
    assertThat(later.path("own")).hasSize(1);
  }

  @Test
  void ofTwoSessionsTheNewerGetsTheMessagesAndBothAreTold() {
    FrameClient older = group.client();
    FrameClient newer = group.client();
    older.begin("grace_poll_messages", input("client_id", bob, "wait_ms", 600_000));
    grace.awaitPoll(bob);
    newer.begin("grace_poll_messages", input("client_id", bob, "wait_ms", 600_000));
    JsonNode superseded = older.next();
    assertThat(superseded.path("superseded").asBoolean()).isTrue();
    assertThat(superseded.path("pollers").asInt()).isEqualTo(2);
    assertThat(superseded.path("messages")).isEmpty();
    assertThat(superseded.path("note").asText()).contains(bob);
    send("one");
    JsonNode got = newer.next();
    assertThat(texts(got)).containsExactly("one");
    assertThat(got.path("pollers").asInt()).isEqualTo(2);
    assertThat(got.has("superseded")).isFalse();
    assertThat(grace.poll(bob).has("pollers")).isFalse();
  }

  @Test
  void anAnswerIsBoundedAndSaysWhatRemains() {
    for (int i = 1; i <= 5; i++) {
      send("m" + i);
    }
    JsonNode three = grace.poll(bob, "max_messages", 3);
    assertThat(texts(three)).containsExactly("m1", "m2", "m3");
    assertThat(three.path("remaining").asInt()).isEqualTo(2);
    JsonNode one = grace.poll(bob, "max_bytes", 1);
    assertThat(texts(one)).containsExactly("m4");
    assertThat(one.path("remaining").asInt()).isEqualTo(1);
  }

  // --- A message that is larger than an answer to a model may be, before small ones ----------

  private void sendLargeOneAndFive() {
    send("\u00e4\ud83d\ude00\"\\".repeat(20_000));
    for (int i = 1; i <= 5; i++) {
      send("m" + i);
    }
  }

  private JsonNode pollByMcp(Object... more) throws Exception {
    McpClient client = new McpClient(group.gracePort());
    return client.called("grace_poll_messages", "client_id", bob, more);
  }

  private static int cutBytes(JsonNode result) {
    assertThat(result.at("/content/0/text").asText().length()).isLessThan(24 * 1024);
    JsonNode answer = succeeded(result.path("structuredContent"));
    assertThat(answer.path("messages")).hasSize(1);
    JsonNode envelope = answer.at("/messages/0");
    assertThat(answer.at("/cut/0")).isEqualTo(envelope.path("message_id"));
    assertThat(envelope.at("/payload/beginning").asText())
        .startsWith("{\"text\":\"\u00e4\ud83d\ude00");
    assertThat(envelope.path("channel").asText()).startsWith("mad.topic.");
    assertThat(answer.path("remaining").asInt()).isEqualTo(5);
    int bytes = envelope.at("/payload/too_large").asInt();
    assertThat(answer.path("note").asText()).contains("max_bytes " + bytes);
    return bytes;
  }

  @Test
  void withACursorItStandsInNobodysWayAndCanBeHadWhole() throws Exception {
    String cursor = cursor();
    sendLargeOneAndFive();
    JsonNode cut = pollByMcp("cursor", cursor, "max_bytes", 20_000);
    int bytes = cutBytes(cut);
    assertThat(cutBytes(pollByMcp("cursor", cursor))).isEqualTo(bytes);
    String next = cut.at("/structuredContent/cursor").asText();
    JsonNode whole = pollByMcp("cursor", next, "max_bytes", bytes);
    assertThat(texts(whole.path("structuredContent")).getFirst()).hasSize(100_000);
    assertThat(texts(pollByMcp("cursor", next).path("structuredContent")))
        .containsExactly("m1", "m2", "m3", "m4", "m5");
  }

  @Test
  void aProgramGetsItWhole() {
    sendLargeOneAndFive();
    JsonNode all = grace.poll(bob);
    assertThat(texts(all)).hasSize(6);
    assertThat(all.has("cut")).isFalse();
  }
}
