package joshua.integration;

import static joshua.integration.FrameClient.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two programs talk by Grace's tools (wire contract §3, "Grace"). */
@ExtendWith(SharedGroup.class)
class FirstConversationTest {
  private final TestNames names = new TestNames();
  private final String ann = names.of("ann");
  private final String bob = names.of("bob");

  private static JsonNode subscribe(TestGroup group, String client, String... topics) {
    JsonNode answer = group.call("grace_subscribe", "client_id", client, "topics", topics);
    assertThat(answer.path("status").asText()).as(answer.toString()).isEqualTo("success");
    return answer;
  }

  private static JsonNode send(TestGroup group, String from, String channel, Object payload) {
    return group.call(
        "grace_send_message", "client_id", from, "channel", channel, "payload", payload);
  }

  private static JsonNode poll(TestGroup group, String client, Object... more) {
    Object[] members = new Object[more.length + 2];
    members[0] = "client_id";
    members[1] = client;
    System.arraycopy(more, 0, members, 2, more.length);
    return group.call("grace_poll_messages", members);
  }

  private static List<String> texts(JsonNode answer) {
    return answer.path("messages").findValuesAsText("text");
  }

  @Test
  void aMessageIsPolledOnceAsTheWholeEnvelope(TestGroup group) {
    String topic = "mad.topic." + names.of("news");
    JsonNode subscribed = subscribe(group, bob, topic);
    assertThat(subscribed.path("message").asText())
        .isEqualTo("Subscribed client '%s' to 1 topics.".formatted(bob));
    JsonNode sent = send(group, ann, topic, Map.of("text", "hi"));
    assertThat(sent.path("receivers").asInt()).isEqualTo(1);
    assertThat(sent.path("queues").asInt()).isEqualTo(1);
    assertThat(sent.has("addressee")).isFalse();
    assertThat(sent.has("note")).isFalse();

    JsonNode envelope = poll(group, bob, "wait_ms", 60_000).path("messages").path(0);
    assertThat(envelope.path("message_id")).isEqualTo(sent.path("message_id"));
    assertThat(envelope.path("sender_id").asText()).isEqualTo(ann);
    assertThat(envelope.path("channel").asText()).isEqualTo(topic);
    assertThat(envelope.path("recipient_id").isNull()).isTrue();
    assertThat(envelope.path("payload").toString()).isEqualTo("{\"text\":\"hi\"}");
    JsonNode again = poll(group, bob);
    assertThat(again.path("messages")).isEmpty();
    assertThat(again.path("gap").isNull()).isTrue();
  }

  @Test
  void theNewestHundredAreKeptAndTheLossIsTold(TestGroup group) {
    String topic = "mad.topic." + names.of("much");
    subscribe(group, bob, topic);
    FrameClient sender = group.client();
    for (int i = 1; i <= 101; i++) {
      sender.succeed(
          "grace_send_message",
          input("client_id", ann, "channel", topic, "payload", Map.of("text", "m" + i)));
    }
    JsonNode polled = poll(group, bob);
    assertThat(texts(polled)).hasSize(100).startsWith("m2").endsWith("m101");
    assertThat(polled.path("gap").path("missed").asInt()).isEqualTo(1);
    assertThat(polled.path("gap").path("reason").asText()).isEqualTo("overflow");
    JsonNode again = poll(group, bob);
    assertThat(again.path("gap").isNull()).as(again.toString()).isTrue();
  }

  @Test
  void aMessageThatMatchesTwoTopicsComesOnce(TestGroup group) {
    String topic = "mad.topic." + names.of("x");
    subscribe(group, bob, topic, "mad.topic." + names.of("*"), "mad.direct." + bob);
    send(group, ann, topic, Map.of());
    send(group, ann, "mad.direct." + bob, Map.of("text", "last"));
    assertThat(poll(group, bob).path("messages").findValuesAsText("channel"))
        .containsExactly(topic, "mad.direct." + bob);
  }

  @Test
  void withACursorMessagesComeAgainUntilAcknowledged(TestGroup group) {
    String topic = "mad.topic." + names.of("x");
    String first = subscribe(group, bob, topic).path("cursor").asText();
    send(group, ann, topic, Map.of("text", "one"));
    JsonNode once = poll(group, bob, "cursor", first);
    JsonNode twice = poll(group, bob, "cursor", first);
    assertThat(texts(once)).containsExactly("one").isEqualTo(texts(twice));
    String second = twice.path("cursor").asText();
    send(group, ann, topic, Map.of("text", "two"));
    assertThat(texts(poll(group, bob, "cursor", second))).containsExactly("two");
    assertThat(texts(poll(group, bob, "cursor", first))).as("an older one").containsExactly("two");
    JsonNode wrong = poll(group, ann, "cursor", second);
    assertThat(wrong.path("code").asText()).isEqualTo("invalid_input");
  }

  @Test
  void aParticipantWithARedisClientTalksToo(TestGroup group, RedisServer redis) {
    subscribe(group, bob, "mad.direct." + bob);
    RawEnvelope envelope = RawEnvelope.on("mad.direct." + bob).from(ann).payload("{\"n\":1}");
    try (RawRedis raw = redis.connect()) {
      raw.publish("mad.direct." + bob, "garbage");
      raw.publish("mad.direct." + bob, envelope.json());
    }
    JsonNode polled = poll(group, bob, "wait_ms", 60_000);
    assertThat(polled.path("messages")).hasSize(1);
    assertThat(polled.path("messages").path(0).toString()).contains("\"payload\":{\"n\":1}");
  }

  @Test
  void aRequestGetsItsReplyAndLeavesNoneInTheQueue(TestGroup group) {
    FrameClient responder = group.client();
    subscribe(group, ann, "mad.direct." + ann);
    subscribe(group, bob, "mad.direct." + bob);
    FrameClient asking = group.client();
    asking.begin(
        "grace_request",
        input("client_id", ann, "to", bob, "payload", Map.of("q", 1), "timeout_ms", 25_000));
    JsonNode question =
        responder
            .succeed("grace_poll_messages", input("client_id", bob, "wait_ms", 60_000))
            .path("messages")
            .path(0);
    responder.succeed(
        "grace_send_message",
        input(
            "client_id",
            bob,
            "channel",
            "mad.direct." + ann,
            "payload",
            Map.of("a", 2),
            "correlation_id",
            question.path("correlation_id").asText()));
    JsonNode answered = asking.next();
    assertThat(answered.path("reply").path("payload").toString()).isEqualTo("{\"a\":2}");
    assertThat(answered.path("correlation_id")).isEqualTo(question.path("correlation_id"));
    send(group, bob, "mad.direct." + ann, Map.of("text", "later"));
    JsonNode left = poll(group, ann);
    assertThat(left.path("messages")).hasSize(1);
    assertThat(texts(left)).containsExactly("later");
  }

  @Test
  void aRequestToNobodyEndsAtOnce(TestGroup group) {
    JsonNode answer =
        group.call(
            "grace_request", "to", names.of("nobody"), "payload", Map.of(), "timeout_ms", 25_000);
    assertThat(answer.path("reply").isNull()).isTrue();
    assertThat(answer.path("addressee").asText()).isEqualTo("unknown");
  }

  @Test
  void whoHasNoQueueIsToldWhy(TestGroup group) {
    assertThat(poll(group, bob).path("code").asText()).isEqualTo("not_subscribed");
    assertThat(poll(group, bob).path("gap").path("reason").asText()).isEqualTo("restart");
    String old = "abcdef.%s.1.7.0.1764172800000".formatted(Integer.toHexString(bob.hashCode()));
    JsonNode restarted = poll(group, bob, "cursor", old);
    assertThat(restarted.path("code").asText()).isEqualTo("not_subscribed");
    assertThat(restarted.path("gap").path("reason").asText()).isEqualTo("restart");
    JsonNode subscribed =
        group.call(
            "grace_subscribe",
            "client_id",
            bob,
            "topics",
            List.of("mad.direct." + bob),
            "cursor",
            old);
    assertThat(subscribed.path("gap").path("reason").asText()).isEqualTo("restart");
    assertThat(subscribed.path("gap").path("since").asText()).isEqualTo("2025-11-26T16:00:00.000Z");
    JsonNode given = group.call("grace_unsubscribe", "client_id", bob);
    assertThat(given.path("topics")).isEmpty();
    assertThat(poll(group, bob, "cursor", subscribed.path("cursor").asText()).has("gap")).isFalse();
  }

  @Test
  void whatClientsMayNotDoIsForbidden(TestGroup group) {
    for (String channel : List.of("mad.system.events", "mad.stream." + UUID.randomUUID())) {
      assertThat(send(group, ann, channel, Map.of()).path("code").asText()).isEqualTo("forbidden");
    }
    assertThat(send(group, "fiedler", "mad.broadcast", Map.of()).path("code").asText())
        .isEqualTo("forbidden");
    JsonNode elsewhere = send(group, ann, "other.topic.x", Map.of());
    assertThat(elsewhere.path("message").asText()).startsWith("channel must be mad.direct.<id>");
  }
}
