package joshua.rogers.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import joshua.conversation.Channel;
import joshua.kernel.Json;
import joshua.rogers.RegistryFixture;
import joshua.rogers.loss.UnheardChannels;
import joshua.rogers.tap.ChannelTraffic;
import joshua.rogers.tap.DeadLetterBuffer;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class AlertMonitorTest {
  private static final String EVENTS = "mad.topic.system_events";

  /** The published events, in the order in which they arrived on the bus. */
  private static List<JsonNode> told(RawListener listener) {
    return listener.on(EVENTS).stream().map(AlertMonitorTest::payload).toList();
  }

  private static JsonNode payload(String body) {
    try {
      return Json.parse(body).path("payload");
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError(body, e);
    }
  }

  private static JsonNode onlyTold(RawListener listener) {
    await().until(() -> !told(listener).isEmpty());
    assertThat(told(listener)).hasSize(1);
    return told(listener).getFirst();
  }

  /**
   * Security: every client may follow the topic, so it mustn't show what was meant for one
   * participant.
   */
  @Test
  void theHeadOfAMalformedDirectMessageIsNotToldOnTheBus() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture();
        RawListener listener = RawListener.on(fixture.redis, "mad.topic.system*")) {
      fixture.publish("mad.direct.bob", "not JSON, and private");
      fixture.watch();
      JsonNode event = onlyTold(listener);
      assertThat(event.path("channel").asText()).isEqualTo("mad.direct.bob");
      assertThat(event.path("head").isNull()).isTrue();
      assertThat(event.toString()).doesNotContain("private");
      assertThat(fixture.rows("select head from dead_letters"))
          .containsExactly("not JSON, and private");
    }
  }

  @Test
  @TriesLimit("rogers.letter-head")
  void garbageIsADeadLetterToldOfAndKeptWithItsReasonAndFirstBytes() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture();
        RawListener listener = RawListener.on(fixture.redis, "mad.topic.system*")) {
      String garbage = "\u001b[2Jboom " + "x".repeat(2_000);
      fixture.publish("mad.topic.x", garbage);
      fixture.publish("mad.topic.x", garbage);
      fixture.watch();
      fixture.publish("mad.topic.x", garbage);
      fixture.advance(Duration.ofSeconds(1));
      fixture.watch();

      JsonNode event = onlyTold(listener);
      assertThat(event.path("event").asText()).isEqualTo("dead_letter");
      assertThat(event.path("channel").asText()).isEqualTo("mad.topic.x");
      assertThat(event.path("count").asLong()).isEqualTo(2);
      assertThat(event.path("reason").asText()).contains("JSON");
      assertThat(event.path("size").asInt()).isEqualTo(garbage.length());
      assertThat(event.path("head").asText()).startsWith("\ufffd[2Jboom xx").hasSize(1_024);
      assertThat(fixture.rows("select channel, size, length(head), messages from dead_letters"))
          .containsExactly("mad.topic.x " + garbage.length() + " 1024 3");

      fixture.publish("mad.topic.x", garbage);
      fixture.advance(Duration.ofSeconds(10));
      fixture.watch();
      await().until(() -> told(listener).size() == 2);
      assertThat(told(listener).getLast().path("count").asLong()).isEqualTo(2);
      assertThat(fixture.rows("select messages from dead_letters order by letter_id"))
          .containsExactly("3", "1");
    }
  }

  @Test
  @TriesLimit("rogers.waiting-letters")
  void whatComesFasterThanItCanBeKeptIsCounted() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      for (int i = 0; i < DeadLetterBuffer.WAITING + 7; i++) {
        fixture.publish("mad.topic.x", "garbage " + i);
      }
      fixture.watch();
      assertThat(fixture.rows("select count(*), sum(messages) from dead_letters"))
          .containsExactly(
              (DeadLetterBuffer.KEPT_TOGETHER + 1) + " " + (DeadLetterBuffer.WAITING + 7));
      assertThat(fixture.rows("select messages from dead_letters where channel = '*'"))
          .containsExactly(
              Integer.toString(DeadLetterBuffer.WAITING + 7 - DeadLetterBuffer.KEPT_TOGETHER));
    }
  }

  @Test
  void aChannelThatNobodyListensToIsToldOfAndOneThatSomebodyFollowsIsNot() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture();
        RawListener relay = RawListener.on(fixture.redis, "mad.topic.relayed.*")) {
      fixture.knownPatterns.add("mad.topic.relayed.*");
      fixture.watch();
      fixture.raw.call("SUBSCRIBE", "mad.topic.followed");
      try (var publisher = fixture.redis.raw()) {
        for (String channel :
            List.of(
                "mad.topic.followed",
                "mad.topic.lonely",
                "mad.direct.nobody",
                "mad.broadcast",
                "mad.stream.t1",
                "mad.system.presence",
                EVENTS,
                "mad.topic.relayed.x")) {
          publisher.publish(channel, RawEnvelope.on(channel).json());
        }
        awaitSeen(fixture, 8);
      }
      fixture.advance(Duration.ofSeconds(1));
      fixture.watching().look();
      assertThat(fixture.rows("select channel, messages from unheard order by channel"))
          .containsExactly("mad.broadcast 1", "mad.direct.nobody 1", "mad.topic.lonely 1");
      assertThat(relay.heard()).hasSize(1);
    }
  }

  @Test
  @TriesLimit("rogers.unheard-channels")
  void aChannelMoreThanCanWaitIsNotAskedAbout() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      UnheardChannels unheardChannels =
          new UnheardChannels(fixture.bus(), () -> java.util.Set.of());
      List<ChannelTraffic> channels = new ArrayList<>();
      assertThat(unheardChannels.look(channels)).isEmpty();
      for (int i = 0; i <= UnheardChannels.WAITING; i++) {
        String name = "mad.topic.c" + i;
        byte[] key = name.getBytes(StandardCharsets.UTF_8);
        ChannelTraffic channel = new ChannelTraffic(name, key, Channel.Kind.TOPIC);
        channel.add(100);
        channels.add(channel);
      }
      int asked = 0;
      for (int i = 0; i <= UnheardChannels.WAITING / UnheardChannels.ASKED_TOGETHER; i++) {
        asked += unheardChannels.look(channels).size();
      }
      assertThat(asked).isEqualTo(UnheardChannels.WAITING);
    }
  }

  private static void awaitSeen(RegistryFixture fixture, int messages) {
    await().until(() -> fixture.seen() >= messages);
  }

  @Test
  void nothingIsSaidOfUnheardChannelsWhileSomebodyFollowsAPatternThatIsNotKnown() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.watch();
      try (RawListener stranger = RawListener.on(fixture.redis, "mad.t*")) {
        fixture.publish(RawEnvelope.on("mad.topic.lonely"));
        fixture.advance(Duration.ofSeconds(1));
        fixture.watch();
        assertThat(fixture.rows("select * from unheard")).isEmpty();
        assertThat(stranger.heard()).hasSize(1);
      }
      await().until(() -> fixture.raw.patterns() == 1);
      fixture.publish(RawEnvelope.on("mad.topic.lonely"));
      fixture.advance(Duration.ofSeconds(1));
      fixture.watch();
      assertThat(fixture.rows("select channel, messages from unheard"))
          .containsExactly("mad.topic.lonely 1");
    }
  }

  @Test
  void aStormIsToldOfOnceInTenSecondsWithItsMessages() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture();
        RawListener listener = RawListener.on(fixture.redis, EVENTS)) {
      fixture.watch();
      RawEnvelope message = RawEnvelope.on("mad.system.news").from("gus");
      for (int second = 0; second < 15; second++) {
        for (int i = 0; i < 120; i++) {
          fixture.publish(message);
        }
        fixture.advance(Duration.ofSeconds(1));
        fixture.watch();
      }
      JsonNode event = onlyTold(listener);
      assertThat(event.path("event").asText()).isEqualTo("storm");
      assertThat(event.path("subject").asText()).isEqualTo("gus");
      assertThat(event.path("count").asLong()).isEqualTo(1_200);
      assertThat(event.path("rate").asLong()).isEqualTo(120);
      assertThat(fixture.rows("select kind, subject, participants, messages from alarms"))
          .containsExactly("storm gus [\"gus\"] 1200");
    }
  }

  @Test
  void aClockThatIsSetBackHoldsNeitherStormsNorUnheardChannelsUp() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      fixture.watch();
      fixture.time.advance(Duration.ofHours(-1));
      RawEnvelope message = RawEnvelope.on("mad.topic.lonely").from("gus");
      for (int second = 0; second < 11; second++) {
        for (int i = 0; i < 120; i++) {
          fixture.publish(message);
        }
        fixture.advance(Duration.ofSeconds(1));
        fixture.watch();
      }
      assertThat(fixture.rows("select kind, subject, messages from alarms"))
          .containsExactly("storm gus 1200");
      assertThat(fixture.rows("select channel, messages from unheard order by unheard_id"))
          .containsExactly("mad.topic.lonely 120", "mad.topic.lonely 1200");
    }
  }

  @Test
  void messagesThatGoRoundAreALoopAndStreamsAreNot() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture();
        RawListener listener = RawListener.on(fixture.redis, EVENTS)) {
      String loop = UUID.randomUUID().toString();
      String stream = UUID.randomUUID().toString();
      String own = UUID.randomUUID().toString();
      fixture.watch();
      for (int i = 0; i < 20; i++) {
        String sender = i % 2 == 0 ? "ann" : "bob";
        fixture.publish(
            RawEnvelope.on("mad.system.x").from(sender).withText("correlation_id", stream));
        fixture.publish(
            RawEnvelope.on("mad.stream.x").from(sender).withText("correlation_id", stream));
        fixture.publish(
            RawEnvelope.on(EVENTS)
                .from(i % 2 == 0 ? "rogers" : "bob")
                .withText("correlation_id", own));
        fixture.publish(
            RawEnvelope.on("mad.direct.x" + i % 2).from(sender).withText("correlation_id", loop));
      }
      fixture.watch();
      await().until(() -> told(listener).size() == 21);
      JsonNode event = told(listener).getLast();
      assertThat(event.path("event").asText()).isEqualTo("loop");
      assertThat(event.path("correlation_id").asText()).isEqualTo(loop);
      assertThat(event.path("count").asLong()).isEqualTo(20);
      assertThat(fixture.rows("select kind, subject, participants, messages from alarms"))
          .containsExactly("loop " + loop + " [\"ann\",\"bob\"] 20");
    }
  }

  @Test
  void whatWaitsForItsQuietTimeIsKeptAtTheClose() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      String loop = UUID.randomUUID().toString();
      fixture.watching().start();
      turns(fixture, loop, LoopTable.TURNS);
      await().until(() -> fixture.rows("select * from alarms").size() == 1);
      fixture.sleep(Duration.ofSeconds(3));
      turns(fixture, loop, 1);
      fixture.look();
      fixture.watching().close();
      assertThat(fixture.rows("select subject, messages from alarms order by alarm_id"))
          .containsExactly(loop + " 20", loop + " 1");
    }
  }

  private static void turns(RegistryFixture fixture, String correlation, int number) {
    for (int i = 0; i < number; i++) {
      fixture.publish(
          RawEnvelope.on("mad.topic.x")
              .from(i % 2 == 0 ? "ann" : "bob")
              .withText("correlation_id", correlation));
    }
  }

  @Test
  void changesOfStateAreToldOf() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture();
        RawListener listener = RawListener.on(fixture.redis, EVENTS)) {
      fixture.publish(RawEnvelope.on("mad.system.news").from("gus"));
      fixture.look();
      fixture.told.forEach(fixture.watching()::changed);
      fixture.watch();
      JsonNode event = onlyTold(listener);
      assertThat(event.path("event").asText()).isEqualTo("state");
      assertThat(event.path("mad_id").asText()).isEqualTo("gus");
      assertThat(event.path("status_before").isNull()).isTrue();
      assertThat(event.path("status").asText()).isEqualTo("CONNECTED");
      assertThat(event.path("why").asText())
          .isEqualTo("connected: heard within 30 s, has never sent a heartbeat");
    }
  }
}
