package joshua.rogers;

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
import joshua.testing.HandWritten;
import joshua.testing.RawListener;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class WatchingTest {
  private static final String EVENTS = "mad.topic.system_events";

  /** What was told, as it came by on the bus. */
  private static List<JsonNode> told(RawListener listener) {
    return listener.on(EVENTS).stream().map(WatchingTest::payload).toList();
  }

  private static JsonNode payload(String body) {
    try {
      return Json.parse(body).path("payload");
    } catch (Json.Malformed e) {
      throw new AssertionError(body, e);
    }
  }

  private static JsonNode onlyTold(RawListener listener) {
    await().until(() -> !told(listener).isEmpty());
    assertThat(told(listener)).hasSize(1);
    return told(listener).getFirst();
  }

  /** Security: everybody may follow the topic, and not what was meant for one participant. */
  @Test
  void theHeadOfAMalformedDirectMessageIsNotToldOnTheBus() throws Exception {
    try (Outlook outlook = new Outlook();
        RawListener listener = RawListener.on(outlook.redis, "mad.topic.system*")) {
      outlook.publish("mad.direct.bob", "not JSON, and private");
      outlook.watch();
      JsonNode event = onlyTold(listener);
      assertThat(event.path("channel").asText()).isEqualTo("mad.direct.bob");
      assertThat(event.path("head").isNull()).isTrue();
      assertThat(event.toString()).doesNotContain("private");
      assertThat(outlook.rows("select head from dead_letters"))
          .containsExactly("not JSON, and private");
    }
  }

  @Test
  @TriesLimit("rogers.letter-head")
  void garbageIsADeadLetterToldOfAndKeptWithItsReasonAndFirstBytes() throws Exception {
    try (Outlook outlook = new Outlook();
        RawListener listener = RawListener.on(outlook.redis, "mad.topic.system*")) {
      String garbage = "\u001b[2Jboom " + "x".repeat(2_000);
      outlook.publish("mad.topic.x", garbage);
      outlook.publish("mad.topic.x", garbage);
      outlook.watch();
      outlook.publish("mad.topic.x", garbage);
      outlook.advance(Duration.ofSeconds(1));
      outlook.watch();

      JsonNode event = onlyTold(listener);
      assertThat(event.path("event").asText()).isEqualTo("dead_letter");
      assertThat(event.path("channel").asText()).isEqualTo("mad.topic.x");
      assertThat(event.path("count").asLong()).isEqualTo(2);
      assertThat(event.path("reason").asText()).contains("JSON");
      assertThat(event.path("size").asInt()).isEqualTo(garbage.length());
      assertThat(event.path("head").asText()).startsWith("\ufffd[2Jboom xx").hasSize(1_024);
      assertThat(outlook.rows("select channel, size, length(head), messages from dead_letters"))
          .containsExactly("mad.topic.x " + garbage.length() + " 1024 3");

      outlook.publish("mad.topic.x", garbage);
      outlook.advance(Duration.ofSeconds(10));
      outlook.watch();
      await().until(() -> told(listener).size() == 2);
      assertThat(told(listener).getLast().path("count").asLong()).isEqualTo(2);
      assertThat(outlook.rows("select messages from dead_letters order by letter_id"))
          .containsExactly("3", "1");
    }
  }

  @Test
  @TriesLimit("rogers.waiting-letters")
  void whatComesFasterThanItCanBeKeptIsCounted() throws Exception {
    try (Outlook outlook = new Outlook()) {
      for (int i = 0; i < Letters.WAITING + 7; i++) {
        outlook.publish("mad.topic.x", "garbage " + i);
      }
      outlook.watch();
      assertThat(outlook.rows("select count(*), sum(messages) from dead_letters"))
          .containsExactly((Letters.KEPT_TOGETHER + 1) + " " + (Letters.WAITING + 7));
      assertThat(outlook.rows("select messages from dead_letters where channel = '*'"))
          .containsExactly(Integer.toString(Letters.WAITING + 7 - Letters.KEPT_TOGETHER));
    }
  }

  @Test
  void aChannelThatNobodyListensToIsToldOfAndOneThatSomebodyFollowsIsNot() throws Exception {
    try (Outlook outlook = new Outlook();
        RawListener relay = RawListener.on(outlook.redis, "mad.topic.relayed.*")) {
      outlook.knownPatterns.add("mad.topic.relayed.*");
      outlook.watch();
      outlook.raw.call("SUBSCRIBE", "mad.topic.followed");
      try (var publisher = outlook.redis.raw()) {
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
          publisher.publish(channel, HandWritten.on(channel).json());
        }
        awaitSeen(outlook, 8);
      }
      outlook.advance(Duration.ofSeconds(1));
      outlook.watching().look();
      assertThat(outlook.rows("select channel, messages from unheard order by channel"))
          .containsExactly("mad.broadcast 1", "mad.direct.nobody 1", "mad.topic.lonely 1");
      assertThat(relay.heard()).hasSize(1);
    }
  }

  @Test
  @TriesLimit("rogers.unheard-channels")
  void aChannelMoreThanCanWaitIsNotAskedAbout() throws Exception {
    try (Outlook outlook = new Outlook()) {
      Unheard unheard = new Unheard(outlook.bus(), () -> java.util.Set.of());
      List<ChannelTraffic> channels = new ArrayList<>();
      assertThat(unheard.look(channels)).isEmpty();
      for (int i = 0; i <= Unheard.WAITING; i++) {
        String name = "mad.topic.c" + i;
        byte[] key = name.getBytes(StandardCharsets.UTF_8);
        ChannelTraffic channel = new ChannelTraffic(name, key, Channel.Kind.TOPIC);
        channel.add(100);
        channels.add(channel);
      }
      int asked = 0;
      for (int i = 0; i <= Unheard.WAITING / Unheard.ASKED_TOGETHER; i++) {
        asked += unheard.look(channels).size();
      }
      assertThat(asked).isEqualTo(Unheard.WAITING);
    }
  }

  private static void awaitSeen(Outlook outlook, int messages) {
    await().until(() -> outlook.seen() >= messages);
  }

  @Test
  void nothingIsSaidOfUnheardChannelsWhileSomebodyFollowsAPatternThatIsNotKnown() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.watch();
      try (RawListener stranger = RawListener.on(outlook.redis, "mad.t*")) {
        outlook.publish(HandWritten.on("mad.topic.lonely"));
        outlook.advance(Duration.ofSeconds(1));
        outlook.watch();
        assertThat(outlook.rows("select * from unheard")).isEmpty();
        assertThat(stranger.heard()).hasSize(1);
      }
      await().until(() -> outlook.raw.patterns() == 1);
      outlook.publish(HandWritten.on("mad.topic.lonely"));
      outlook.advance(Duration.ofSeconds(1));
      outlook.watch();
      assertThat(outlook.rows("select channel, messages from unheard"))
          .containsExactly("mad.topic.lonely 1");
    }
  }

  @Test
  void aStormIsToldOfOnceInTenSecondsWithItsMessages() throws Exception {
    try (Outlook outlook = new Outlook();
        RawListener listener = RawListener.on(outlook.redis, EVENTS)) {
      outlook.watch();
      HandWritten message = HandWritten.on("mad.system.news").from("gus");
      for (int second = 0; second < 15; second++) {
        for (int i = 0; i < 120; i++) {
          outlook.publish(message);
        }
        outlook.advance(Duration.ofSeconds(1));
        outlook.watch();
      }
      JsonNode event = onlyTold(listener);
      assertThat(event.path("event").asText()).isEqualTo("storm");
      assertThat(event.path("subject").asText()).isEqualTo("gus");
      assertThat(event.path("count").asLong()).isEqualTo(1_200);
      assertThat(event.path("rate").asLong()).isEqualTo(120);
      assertThat(outlook.rows("select kind, subject, participants, messages from alarms"))
          .containsExactly("storm gus [\"gus\"] 1200");
    }
  }

  @Test
  void aClockThatIsSetBackHoldsNeitherStormsNorUnheardChannelsUp() throws Exception {
    try (Outlook outlook = new Outlook()) {
      outlook.watch();
      outlook.time.advance(Duration.ofHours(-1));
      HandWritten message = HandWritten.on("mad.topic.lonely").from("gus");
      for (int second = 0; second < 11; second++) {
        for (int i = 0; i < 120; i++) {
          outlook.publish(message);
        }
        outlook.advance(Duration.ofSeconds(1));
        outlook.watch();
      }
      assertThat(outlook.rows("select kind, subject, messages from alarms"))
          .containsExactly("storm gus 1200");
      assertThat(outlook.rows("select channel, messages from unheard order by unheard_id"))
          .containsExactly("mad.topic.lonely 120", "mad.topic.lonely 1200");
    }
  }

  @Test
  void messagesThatGoRoundAreALoopAndStreamsAreNot() throws Exception {
    try (Outlook outlook = new Outlook();
        RawListener listener = RawListener.on(outlook.redis, EVENTS)) {
      String loop = UUID.randomUUID().toString();
      String stream = UUID.randomUUID().toString();
      String own = UUID.randomUUID().toString();
      outlook.watch();
      for (int i = 0; i < 20; i++) {
        String sender = i % 2 == 0 ? "ann" : "bob";
        outlook.publish(
            HandWritten.on("mad.system.x").from(sender).withText("correlation_id", stream));
        outlook.publish(
            HandWritten.on("mad.stream.x").from(sender).withText("correlation_id", stream));
        outlook.publish(
            HandWritten.on(EVENTS)
                .from(i % 2 == 0 ? "rogers" : "bob")
                .withText("correlation_id", own));
        outlook.publish(
            HandWritten.on("mad.direct.x" + i % 2).from(sender).withText("correlation_id", loop));
      }
      outlook.watch();
      await().until(() -> told(listener).size() == 21);
      JsonNode event = told(listener).getLast();
      assertThat(event.path("event").asText()).isEqualTo("loop");
      assertThat(event.path("correlation_id").asText()).isEqualTo(loop);
      assertThat(event.path("count").asLong()).isEqualTo(20);
      assertThat(outlook.rows("select kind, subject, participants, messages from alarms"))
          .containsExactly("loop " + loop + " [\"ann\",\"bob\"] 20");
    }
  }

  @Test
  void whatWaitsForItsQuietTimeIsKeptAtTheClose() throws Exception {
    try (Outlook outlook = new Outlook()) {
      String loop = UUID.randomUUID().toString();
      outlook.watching().start();
      turns(outlook, loop, LoopTable.TURNS);
      await().until(() -> outlook.rows("select * from alarms").size() == 1);
      outlook.sleep(Duration.ofSeconds(3));
      turns(outlook, loop, 1);
      outlook.look();
      outlook.watching().close();
      assertThat(outlook.rows("select subject, messages from alarms order by alarm_id"))
          .containsExactly(loop + " 20", loop + " 1");
    }
  }

  private static void turns(Outlook outlook, String correlation, int number) {
    for (int i = 0; i < number; i++) {
      outlook.publish(
          HandWritten.on("mad.topic.x")
              .from(i % 2 == 0 ? "ann" : "bob")
              .withText("correlation_id", correlation));
    }
  }

  @Test
  void changesOfStateAreToldOf() throws Exception {
    try (Outlook outlook = new Outlook();
        RawListener listener = RawListener.on(outlook.redis, EVENTS)) {
      outlook.publish(HandWritten.on("mad.system.news").from("gus"));
      outlook.look();
      outlook.told.forEach(outlook.watching()::changed);
      outlook.watch();
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
