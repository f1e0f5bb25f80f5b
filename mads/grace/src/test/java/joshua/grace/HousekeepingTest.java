package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.testing.HandWritten;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Housekeeping isn't conversation (wire contract §2). */
final class HousekeepingTest {
  private static final String EVENTS = "mad.topic.system_events";

  private RealRedis redis;
  private RunningGrace grace;
  private RawRedis raw;

  @BeforeEach
  void start() throws Exception {
    redis = RealRedis.start();
    grace = RunningGrace.on(redis);
    raw = redis.raw();
  }

  @AfterEach
  void stop() {
    raw.close();
    grace.close();
    redis.close();
  }

  private void publish(String... channels) {
    for (String channel : channels) {
      raw.publish(channel, HandWritten.on(channel).json());
    }
  }

  /** Polls until a message on {@code last} has come; the channels of all until then. */
  private List<String> channelsUntil(String client, String last) throws Exception {
    List<String> channels = new ArrayList<>();
    while (!channels.contains(last)) {
      JsonNode polled = grace.pollWaiting(client);
      assertThat(polled.path("messages")).isNotEmpty();
      polled.path("messages").forEach(message -> channels.add(message.path("channel").asText()));
    }
    return channels;
  }

  @Test
  void wildcardsTakeWhatParticipantsSayAndNoHousekeeping() throws Exception {
    grace.subscribe("ann", "mad.*");
    grace.subscribe("bob", "mad.#", "mad.t*");
    grace.subscribe("cat", "mad.topic.*", "mad.s*", "mad.*.end");

    publish(
        "mad.system.heartbeat",
        "mad.system.presence",
        "mad.system.ledger",
        "mad.stream.t1",
        EVENTS,
        "mad.direct.dan",
        "mad.broadcast",
        "mad.other.x",
        "mad.topic.end");

    assertThat(channelsUntil("ann", "mad.topic.end"))
        .containsExactly("mad.direct.dan", "mad.broadcast", "mad.other.x", "mad.topic.end");
    assertThat(channelsUntil("bob", "mad.topic.end"))
        .containsExactly("mad.direct.dan", "mad.broadcast", "mad.other.x", "mad.topic.end");
    assertThat(channelsUntil("cat", "mad.topic.end")).containsExactly("mad.topic.end");
  }

  @Test
  void namesAndGlobsThatBeginWithThemTakeThem() throws Exception {
    grace.subscribe("ann", "mad.*", "mad.stream.*", "mad.topic.end");
    grace.subscribe("bob", "mad.topic.system_*", "mad.system.ledger", "mad.topic.end");
    grace.subscribe("cat", "mad.system.*", "mad.topic.*");

    publish("mad.stream.t1", EVENTS, "mad.system.ledger", "mad.topic.end");

    assertThat(channelsUntil("ann", "mad.topic.end"))
        .containsExactly("mad.stream.t1", "mad.topic.end");
    assertThat(channelsUntil("bob", "mad.topic.end"))
        .contains(EVENTS, "mad.system.ledger", "mad.topic.end")
        .doesNotContain("mad.stream.t1");
    assertThat(channelsUntil("cat", "mad.topic.end"))
        .contains("mad.system.ledger", "mad.topic.end")
        .doesNotContain("mad.stream.t1", EVENTS);
  }

  @Test
  void anIdleBusFillsNoQueue() throws Exception {
    grace.subscribe("ann", "mad.*");
    for (int i = 0; i < 150; i++) {
      publish("mad.system.heartbeat");
    }
    publish("mad.topic.end");
    await().atMost(10, TimeUnit.SECONDS).until(() -> grace.metric("joshua.grace.matched") >= 1);

    JsonNode polled = grace.poll("ann");

    assertThat(polled.path("messages")).hasSize(1);
    assertThat(polled.path("gap").isNull()).isTrue();
  }

  @Test
  void aParticipantIsNotWokenByEventsAboutItself() throws Exception {
    grace.subscribe("ann", "mad.system.*", EVENTS, "mad.topic.end");
    event("ann");
    raw.publish("mad.system.heartbeat", HandWritten.on("mad.system.heartbeat").from("ann").json());
    event("bob");
    publish("mad.topic.end");

    List<String> told = new ArrayList<>();
    while (!told.contains("mad.topic.end")) {
      for (JsonNode message : grace.pollWaiting("ann").path("messages")) {
        String channel = message.path("channel").asText();
        told.add(
            channel.equals(EVENTS)
                ? "about " + message.path("payload").path("subject").asText()
                : channel);
        assertThat(message.path("sender_id").asText()).isNotEqualTo("ann");
      }
    }
    assertThat(told).contains("about bob").doesNotContain("about ann");
  }

  private void event(String subject) {
    raw.publish(
        EVENTS,
        HandWritten.on(EVENTS)
            .from("rogers")
            .payload("{\"event\":\"state\",\"subject\":\"%s\"}".formatted(subject))
            .json());
  }
}
