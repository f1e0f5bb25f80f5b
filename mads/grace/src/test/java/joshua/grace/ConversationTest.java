package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Send, subscribe, poll (REQ-GR-02, "Works" 1 to 3 and 17). */
final class ConversationTest {
  private static RealRedis redis;
  private RunningGrace grace;

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  void startGrace() throws Exception {
    grace = RunningGrace.on(redis);
  }

  @AfterEach
  void stopGrace() {
    grace.close();
  }

  @Test
  void whatIsSentIsPolledOnceAsTheFullEnvelope() throws Exception {
    grace.subscribe("ann", "mad.topic.weather");
    String conversation = UUID.randomUUID().toString();
    String correlation = UUID.randomUUID().toString();

    JsonNode sent =
        grace.call(
            "grace_send_message",
            """
            {'channel':'mad.topic.weather','payload':{'sky':'grey'},'client_id':'bob',\
            'conversation_id':'%s','correlation_id':'%s'}\
            """
                .formatted(conversation, correlation));

    assertThat(sent.path("status").asText()).isEqualTo("success");
    assertThat(sent.path("queues").asInt()).isEqualTo(1);
    assertThat(sent.path("receivers").asInt()).isEqualTo(1);
    JsonNode polled = grace.pollWaiting("ann");
    assertThat(polled.path("messages")).hasSize(1);
    JsonNode envelope = polled.path("messages").get(0);
    assertThat(envelope.path("message_id").asText()).isEqualTo(sent.path("message_id").asText());
    assertThat(envelope.path("conversation_id").asText()).isEqualTo(conversation);
    assertThat(envelope.path("correlation_id").asText()).isEqualTo(correlation);
    assertThat(envelope.path("sender_id").asText()).isEqualTo("bob");
    assertThat(envelope.path("recipient_id").isNull()).isTrue();
    assertThat(envelope.path("channel").asText()).isEqualTo("mad.topic.weather");
    assertThat(envelope.path("timestamp").asText()).isEqualTo("2026-01-31T12:00:00.000Z");
    assertThat(envelope.path("payload").path("sky").asText()).isEqualTo("grey");
    assertThat(polled.path("gap").isNull()).isTrue();
    assertThat(grace.poll("ann").path("messages")).isEmpty();
  }

  @Test
  @TriesLimit("grace.queue")
  void aHundredAndOneUnpolledMessagesLeaveTheNewestHundredAndOneMissed() throws Exception {
    grace.subscribe("ann", "mad.topic.n");
    for (int i = 0; i <= 100; i++) {
      grace.send("mad.topic.n", "{'n':%d}".formatted(i));
    }
    await().until(() -> grace.metric("joshua.grace.matched") == 101);

    JsonNode polled = grace.poll("ann");

    assertThat(StreamSupport.stream(polled.path("messages").spliterator(), false))
        .extracting(message -> message.path("payload").path("n").asInt())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 100).boxed().toList());
    assertThat(polled.path("gap").path("missed").asInt()).isEqualTo(1);
    assertThat(polled.path("gap").path("reason").asText()).isEqualTo("overflow");
    assertThat(grace.poll("ann").path("gap").isNull()).isTrue();
  }

  @Test
  void aMessageThatMatchesSeveralTopicsComesOnce() throws Exception {
    grace.subscribe("ann", "mad.topic.a", "mad.topic.*", "mad.t*", "mad.*.a");
    grace.subscribe("bob", "mad.topic.a");

    JsonNode sent = grace.send("mad.topic.a", "{}");

    assertThat(sent.path("receivers").asInt()).isEqualTo(4);
    assertThat(sent.path("queues").asInt()).isEqualTo(2);
    assertThat(grace.pollWaiting("ann").path("messages")).hasSize(1);
    assertThat(grace.pollWaiting("bob").path("messages")).hasSize(1);
    grace.send("mad.topic.a", "{'second':true}");
    assertThat(grace.pollWaiting("ann").path("messages")).hasSize(1);
  }

  @Test
  void whatRedisCliPublishesArrivesByteForByte() throws Exception {
    grace.subscribe("ann", "mad.topic.raw");
    String envelope =
        RawEnvelope.on("mad.topic.raw")
            .payload("{ \"big\": 12345678901234567890.000, \"ü\":\"\\u00fc\" }")
            .with("x_extra", "[1, 2]")
            .json();
    try (RawRedis raw = redis.raw()) {
      raw.publish("mad.topic.raw", envelope);
      // The same envelope published twice comes twice.
      raw.publish("mad.topic.raw", envelope);
    }
    await().until(() -> grace.metric("joshua.grace.matched") == 2);

    JsonNode polled = grace.poll("ann");

    assertThat(polled.path("messages")).hasSize(2);
    assertThat(polled.path("messages").get(0).path("x_extra")).hasSize(2);
    assertThat(polled.path("messages").get(0).path("payload").path("big").decimalValue())
        .isEqualTo("12345678901234567890.000");
  }

  @Test
  void garbageReachesNobodyAndIsCounted() throws Exception {
    grace.subscribe("ann", "mad.*");
    try (RawRedis raw = redis.raw()) {
      raw.publish("mad.topic.x", "garbage");
      raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.y").json());
      raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.x").without("payload").json());
      raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.x").payload("{\"good\":1}").json());
    }
    await().atMost(10, TimeUnit.SECONDS).until(() -> grace.metric("joshua.bus.malformed") == 3);

    JsonNode polled = grace.pollWaiting("ann");

    assertThat(StreamSupport.stream(polled.path("messages").spliterator(), false))
        .filteredOn(message -> message.path("channel").asText().equals("mad.topic.x"))
        .singleElement()
        .extracting(message -> message.path("payload").path("good").asInt())
        .isEqualTo(1);
  }

  @Test
  void unsubscribingGivesUpTopicsOrTheQueue() throws Exception {
    grace.subscribe("ann", "mad.topic.a", "mad.topic.b");

    JsonNode left = grace.call("grace_unsubscribe", "{'client_id':'ann','topics':['mad.topic.a']}");
    grace.send("mad.topic.a", "{}");
    grace.send("mad.topic.b", "{}");

    assertThat(left.path("topics")).hasSize(1);
    assertThat(grace.pollWaiting("ann").path("messages").get(0).path("channel").asText())
        .isEqualTo("mad.topic.b");
    JsonNode none = grace.call("grace_unsubscribe", "{'client_id':'ann'}");
    assertThat(none.path("topics")).isEmpty();
    JsonNode gone = grace.poll("ann");
    assertThat(gone.path("code").asText()).isEqualTo("not_subscribed");
    assertThat(gone.has("gap")).isFalse();
    try (RawRedis raw = redis.raw()) {
      await().until(() -> raw.subscribers("mad.topic.b") == 0);
    }
  }

  @Test
  void refusalsNameTheMemberAndTheRule() throws Exception {
    assertRefused("{'channel':'other.x','payload':{}}", "invalid_input", "channel");
    assertRefused("{'channel':'mad.topic.','payload':{}}", "invalid_input", "channel");
    assertRefused("{'channel':'mad.stream.x','payload':{}}", "forbidden", "channel");
    assertRefused("{'channel':'mad.system.heartbeat','payload':{}}", "forbidden", "channel");
    assertRefused("{'channel':'mad.topic.system_events','payload':{}}", "forbidden", "channel");
    assertRefused("{'channel':'mad.topic.x','payload':[]}", "invalid_input", "payload");
    assertRefused("{'payload':{}}", "invalid_input", "channel");
    assertRefused(
        "{'channel':'mad.topic.x','payload':{},'correlation_id':'1-1-1-1-1'}",
        "invalid_input",
        "correlation_id");
    assertRefused(
        "{'channel':'mad.topic.x','payload':{'x':'%s'}}".formatted("x".repeat(1 << 20)),
        "too_large",
        "JOSHUA_ENVELOPE_LIMIT");
    JsonNode pattern = grace.subscribe("ann", "mad.topic.ok", "other.*");
    assertThat(pattern.path("code").asText()).isEqualTo("invalid_input");
    assertThat(pattern.path("message").asText()).startsWith("topics[1]");
    assertThat(grace.poll("ann").path("code").asText()).isEqualTo("not_subscribed");
  }

  private void assertRefused(String input, String code, String named) throws Exception {
    JsonNode refusal = grace.call("grace_send_message", input);
    assertThat(refusal.path("code").asText()).as(input).isEqualTo(code);
    assertThat(refusal.path("message").asText()).as(input).contains(named);
  }

  @Test
  void aTokensIdentityMaySpeakAndPollOnlyAsItself() throws Exception {
    Optional<String> ann = Optional.of("ann");
    String asBob = "{'client_id':'bob'}";
    assertThat(grace.call("grace_poll_messages", asBob, ann).path("code").asText())
        .isEqualTo("forbidden");
    assertThat(grace.call("grace_unsubscribe", asBob, ann).path("code").asText())
        .isEqualTo("forbidden");
    assertThat(
            grace
                .call(
                    "grace_send_message",
                    "{'channel':'mad.broadcast','payload':{},'client_id':'bob'}",
                    ann)
                .path("code")
                .asText())
        .isEqualTo("forbidden");
    grace.subscribe("carl", "mad.broadcast");
    grace.call("grace_send_message", "{'channel':'mad.broadcast','payload':{}}", ann);
    assertThat(grace.pollWaiting("carl").path("messages").get(0).path("sender_id").asText())
        .isEqualTo("ann");
  }

  @Test
  void aDirectMessageNamesItsRecipient() throws Exception {
    grace.subscribe("ann", "mad.direct.ann");
    grace.send("mad.direct.ann", "{}");
    JsonNode envelope = grace.pollWaiting("ann").path("messages").get(0);
    assertThat(envelope.path("recipient_id").asText()).isEqualTo("ann");
    assertThat(envelope.path("sender_id").asText()).isEqualTo("grace");
  }
}
