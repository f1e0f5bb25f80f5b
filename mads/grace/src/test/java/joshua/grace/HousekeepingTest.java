package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
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
      raw.publish(channel, RawEnvelope.on(channel).json());
    }
  }

  /**
   * Polls until a message on {@code last} has come; returns the channels of all messages until
   * then.
   */
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
    raw.publish("mad.system.heartbeat", RawEnvelope.on("mad.system.heartbeat").from("ann").json());
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

  /** Messages left out of a queue are counted as received, but not as matched (+RG-17). */
  @Test
  void theLedgerCountsCopiesBeforeAnythingIsLeftOut() throws Exception {
    try (RunningGrace relay = RunningGrace.accounting(redis, RunningGrace.ROOMY);
        RawListener listener = RawListener.on(redis, "mad.*")) {
      String epoch = relay.subscribe("bea", "mad.*").path("epoch").asText();
      awaitLedgers(listener, epoch, 2);
      for (int i = 0; i < 20; i++) {
        publish("mad.system.heartbeat", "mad.stream.t" + i, "mad.topic.x");
      }
      awaitLedgers(listener, epoch, ledgers(listener, epoch).size() + 2);

      List<JsonNode> ledgers = ledgers(listener, epoch);
      for (int i = 1; i < ledgers.size(); i++) {
        JsonNode before = ledgers.get(i - 1);
        JsonNode after = ledgers.get(i);
        if (before.at(ALL + "since_marker").equals(after.at(ALL + "since_marker"))) {
          assertThat(after.at(ALL + "received").asLong() - before.at(ALL + "received").asLong())
              .isEqualTo(position(listener, epoch, after) - position(listener, epoch, before));
        }
      }
      JsonNode last = ledgers.getLast();
      assertThat(last.at(ALL + "received").asLong()).isGreaterThanOrEqualTo(60);
      assertThat(last.at("/pairs/matched").asLong()).isEqualTo(20);
      assertThat(last.at("/pairs/waiting").asLong()).isEqualTo(20);
    }
  }

  /** For the one subscription that is compared. */
  private static final String ALL = "/subscriptions/mad.*/";

  private static void awaitLedgers(RawListener listener, String epoch, int number) {
    await().atMost(30, TimeUnit.SECONDS).until(() -> ledgers(listener, epoch).size() >= number);
  }

  private static List<JsonNode> ledgers(RawListener listener, String epoch) {
    return listener.on("mad.system.ledger").stream()
        .map(HousekeepingTest::payload)
        .filter(payload -> payload.path("epoch").asText().equals(epoch))
        .filter(payload -> payload.has("subscriptions"))
        .toList();
  }

  /** The position of a ledger's marker in the order of the bus. */
  private static int position(RawListener listener, String epoch, JsonNode ledger) {
    List<RawListener.Heard> heard = listener.heard();
    for (int i = 0; i < heard.size(); i++) {
      JsonNode payload = payload(heard.get(i).body());
      if (heard.get(i).channel().equals("mad.system.ledger")
          && payload.path("epoch").asText().equals(epoch)
          && payload.path("marker").equals(ledger.path("marker"))) {
        return i;
      }
    }
    throw new AssertionError("its marker was never heard: " + ledger);
  }

  private static JsonNode payload(String body) {
    try {
      return Json.parse(body).path("payload");
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  private void event(String subject) {
    raw.publish(
        EVENTS,
        RawEnvelope.on(EVENTS)
            .from("rogers")
            .payload("{\"event\":\"state\",\"subject\":\"%s\"}".formatted(subject))
            .json());
  }
}
