package joshua.integration;

import static joshua.integration.FrameClient.input;
import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Two programs talk by Grace's tools (wire contract §3, "Grace"). */
class FirstConversationTest extends GroupTest {
  @Test
  void aMessageIsPolledOnceAsTheWholeEnvelope() {
    String topic = "mad.topic." + names.of("news");
    JsonNode subscribed = grace.subscribe(bob, topic);
    assertThat(subscribed.path("message").asText())
        .isEqualTo("Subscribed client '%s' to 1 topics.".formatted(bob));
    JsonNode sent = grace.send(ann, topic, Map.of("text", "hi"));
    assertThat(sent.path("receivers").asInt()).isEqualTo(1);
    assertThat(sent.path("queues").asInt()).isEqualTo(1);
    assertThat(sent.has("addressee")).isFalse();
    assertThat(sent.has("note")).isFalse();
    JsonNode envelope = grace.poll(bob, "wait_ms", 60_000).at("/messages/0");
    assertThat(envelope.path("message_id")).isEqualTo(sent.path("message_id"));
    assertThat(envelope.path("sender_id").asText()).isEqualTo(ann);
    assertThat(envelope.path("channel").asText()).isEqualTo(topic);
    assertThat(envelope.path("recipient_id").isNull()).isTrue();
    assertThat(envelope.path("payload").toString()).isEqualTo("{\"text\":\"hi\"}");
    JsonNode again = grace.poll(bob);
    assertThat(again.path("messages")).isEmpty();
    assertThat(again.path("gap").isNull()).isTrue();
  }

  @Test
  void aMessageThatMatchesTwoTopicsComesOnce() {
    String topic = "mad.topic." + names.of("x");
    grace.subscribe(bob, topic, "mad.topic." + names.of("*"), toBob);
    grace.send(ann, topic, Map.of());
    grace.send(ann, toBob, Map.of("text", "last"));
    assertThat(grace.poll(bob).path("messages").findValuesAsText("channel"))
        .containsExactly(topic, toBob);
  }

  @Test
  void withACursorMessagesComeAgainUntilAcknowledged() {
    String topic = "mad.topic." + names.of("x");
    String first = grace.subscribe(bob, topic).path("cursor").asText();
    grace.send(ann, topic, Map.of("text", "one"));
    JsonNode once = grace.poll(bob, "cursor", first);
    JsonNode twice = grace.poll(bob, "cursor", first);
    assertThat(texts(once)).containsExactly("one").isEqualTo(texts(twice));
    String second = twice.path("cursor").asText();
    grace.send(ann, topic, Map.of("text", "two"));
    assertThat(texts(grace.poll(bob, "cursor", second))).containsExactly("two");
    assertThat(texts(grace.poll(bob, "cursor", first))).as("an older one").containsExactly("two");
    JsonNode wrong = grace.poll(ann, "cursor", second);
    assertThat(wrong.path("code").asText()).isEqualTo("invalid_input");
  }

  @Test
  void aRequestGetsItsReplyAndLeavesNoneInTheQueue() {
    grace.subscribe(ann, toAnn);
    grace.subscribe(bob, toBob);
    FrameClient asking = group.client();
    asking.begin(
        "grace_request",
        input("client_id", ann, "to", bob, "payload", Map.of("q", 1), "timeout_ms", 25_000));
    JsonNode question = grace.poll(bob, "wait_ms", 60_000).at("/messages/0");
    grace.reply(bob, question, Map.of("a", 2));
    JsonNode answered = asking.next();
    assertThat(answered.at("/reply/payload").toString()).isEqualTo("{\"a\":2}");
    assertThat(answered.path("correlation_id")).isEqualTo(question.path("correlation_id"));
    grace.send(bob, toAnn, Map.of("text", "later"));
    JsonNode left = grace.poll(ann);
    assertThat(left.path("messages")).hasSize(1);
    assertThat(texts(left)).containsExactly("later");
  }

  @Test
  void whoHasNoQueueIsToldWhy() {
    assertThat(grace.poll(bob).path("code").asText()).isEqualTo("not_subscribed");
    assertThat(grace.poll(bob).at("/gap/reason").asText()).isEqualTo("restart");
    String old = "abcdef.%s.1.7.0.1764172800000".formatted(Integer.toHexString(bob.hashCode()));
    JsonNode restarted = grace.poll(bob, "cursor", old);
    assertThat(restarted.path("code").asText()).isEqualTo("not_subscribed");
    assertThat(restarted.at("/gap/reason").asText()).isEqualTo("restart");
    JsonNode subscribed =
        group.call("grace_subscribe", "client_id", bob, "topics", List.of(toBob), "cursor", old);
    assertThat(subscribed.at("/gap/reason").asText()).isEqualTo("restart");
    assertThat(subscribed.at("/gap/since").asText()).isEqualTo("2025-11-26T16:00:00.000Z");
    JsonNode given = group.call("grace_unsubscribe", "client_id", bob);
    assertThat(given.path("topics")).isEmpty();
    assertThat(grace.poll(bob, "cursor", subscribed.path("cursor").asText()).has("gap")).isFalse();
  }

  @Test
  void whatClientsMayNotDoIsForbidden() {
    for (String channel : List.of("mad.system.events", "mad.stream." + UUID.randomUUID())) {
      assertThat(grace.send(ann, channel, Map.of()).path("code").asText()).isEqualTo("forbidden");
    }
    assertThat(grace.send("fiedler", "mad.broadcast", Map.of()).path("code").asText())
        .isEqualTo("forbidden");
    JsonNode elsewhere = grace.send(ann, "other.topic.x", Map.of());
    assertThat(elsewhere.path("message").asText()).startsWith("channel must be mad.direct.<id>");
  }
}
