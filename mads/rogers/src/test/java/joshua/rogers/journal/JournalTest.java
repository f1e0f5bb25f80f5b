package joshua.rogers.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.conversation.Channel;
import joshua.conversation.Envelope;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.DirectReaders;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.rogers.RogersQueryFixture;
import joshua.rogers.store.ReadPermission;
import joshua.rogers.store.RetentionLimits;
import joshua.testing.ManualTime;
import joshua.testing.RawEnvelope;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests what the journal stores of what the tap delivers, on real SQLite. */
class JournalTest {
  private static final UUID EXCHANGE = UUID.randomUUID();
  private static final ReadPermission ALL = new ReadPermission(Optional.empty());
  private static final TimedWait SHORT = _ -> TimedWait.system().pause(Duration.ofMillis(5));

  private final RogersQueryFixture fixture = new RogersQueryFixture();
  private final ManualTime time = new ManualTime(RogersQueryFixture.NOW);
  private Journal journal = journal(RogersQueryFixture.JOURNAL, Journal.RING_BYTES);

  JournalTest() throws Exception {}

  private Journal journal(JournalConfig config, int ring) {
    return new Journal(config, ring, fixture.database(), time, SHORT, new SimpleMeterRegistry());
  }

  @AfterEach
  void close() {
    journal.close();
    fixture.close();
  }

  private void say(UUID exchange, String sender, String channel, ObjectNode payload) {
    Envelope envelope =
        new Envelope(
            BusIdentifiers.uuid7(time),
            exchange,
            exchange,
            time.instant(),
            sender,
            Channel.parse(channel).orElseThrow().recipient(),
            new Channel(channel),
            payload,
            Map.of());
    take(envelope.channel(), EnvelopeCodec.encode(envelope));
  }

  private void take(Channel channel, byte[] envelope) {
    journal.take(channel.kind(), time.millis(), ByteBuffer.wrap(envelope));
    time.advance(Duration.ofMillis(10));
  }

  private static ObjectNode text(String text) {
    return Json.object().put("text", text);
  }

  private JsonNode exchange(ReadPermission readPermission) throws Exception {
    ObjectNode answer =
        new JournalExchanges(fixture.database(), RogersQueryFixture.JOURNAL, DirectReaders.ADMINS)
            .read(JournalExchanges.By.CONVERSATION, EXCHANGE, readPermission);
    // Payloads are in it as text, until it is written.
    return Json.parse(Json.bytes(answer));
  }

  private int kept() throws Exception {
    return exchange(ALL).path("messages").size();
  }

  @Test
  void anExchangeIsKeptInOrderWithoutStreamsAndSystemMessages() throws Exception {
    journal.start();
    say(EXCHANGE, "alice", "mad.direct.bob", text("one"));
    say(EXCHANGE, "bob", "mad.stream.t1", text("token"));
    say(EXCHANGE, "bob", "mad.system.heartbeat", text("beat"));
    say(UUID.randomUUID(), "carol", "mad.topic.x", text("another"));
    say(EXCHANGE, "bob", "mad.direct.alice", text("two"));
    await().until(() -> kept() == 2);
    JsonNode read = exchange(ALL);
    assertThat(read.path("messages").findValuesAsText("text")).containsExactly("one", "two");
    JsonNode first = read.path("messages").path(0);
    assertThat(first.path("sender_id").asText()).isEqualTo("alice");
    assertThat(first.path("recipient_id").asText()).isEqualTo("bob");
    assertThat(first.path("at").asText()).isEqualTo("2026-11-18T15:30:00.000Z");
    assertThat(first.path("cut").asBoolean()).isFalse();
    assertThat(read.path("complete").asBoolean()).isTrue();
  }

  @Test
  @TriesLimit("rogers.journal-payload")
  void aLongPayloadIsCutAtAWholeCharacterAndSaysSo() throws Exception {
    journal.start();
    say(EXCHANGE, "alice", "mad.direct.bob", text("é".repeat(3_000)));
    await().until(() -> kept() == 1);
    JsonNode message = exchange(ALL).path("messages").path(0);
    assertThat(message.path("cut").asBoolean()).isTrue();
    assertThat(message.path("payload").isNull()).isTrue();
    assertThat(message.path("payload_bytes").asInt()).isEqualTo(6_011);
    assertThat(message.path("payload_head").asText())
        .matches("\\{\"text\":\"é+")
        .hasSize("{\"text\":\"".length() + 2_043);
  }

  @Test
  void aNumberThatIsTooLongWhenItIsWrittenAnewIsShownAsText() throws Exception {
    journal.start();
    RawEnvelope valid =
        RawEnvelope.on("mad.direct.bob")
            .withText("conversation_id", EXCHANGE.toString())
            .payload("{\"n\":" + "9".repeat(98) + "e9}");
    take(new Channel("mad.direct.bob"), valid.json().getBytes(StandardCharsets.UTF_8));
    say(EXCHANGE, "bob", "mad.direct.alice", text("two"));
    await().until(() -> kept() == 2);
    JsonNode message = exchange(ALL).path("messages").path(0);
    assertThat(message.path("payload").isNull()).isTrue();
    assertThat(message.path("cut").asBoolean()).isFalse();
    assertThat(message.path("payload_head").asText())
        .isEqualTo("{\"n\":9." + "9".repeat(97) + "E+106}");
    assertThat(exchange(ALL).path("messages").findValuesAsText("text")).containsExactly("two");
    assertThat(exchange(ALL).path("complete").asBoolean()).isTrue();
  }

  @Test
  @TriesLimit("rogers.journal-ring")
  void whatTheRingCannotTakeIsRecordedAndTheExchangeIncomplete() throws Exception {
    journal = journal(RogersQueryFixture.JOURNAL, 1_024);
    say(EXCHANGE, "alice", "mad.direct.bob", text("one"));
    say(EXCHANGE, "alice", "mad.direct.bob", text("x".repeat(900)));
    time.advance(Duration.ofSeconds(1));
    say(EXCHANGE, "alice", "mad.direct.bob", text("three"));
    journal.start();
    await().until(() -> kept() == 2);
    assertThat(exchange(ALL).path("complete").asBoolean()).isFalse();
    assertThat(exchange(ALL).path("incomplete_because").path(0).asText())
        .contains("1 messages were left out", "faster than they could be written");
  }

  @Test
  void anExchangeThatRogersDidNotWatchThroughoutIsIncomplete() throws Exception {
    journal.start();
    say(EXCHANGE, "alice", "mad.direct.bob", text("one"));
    await().until(() -> kept() == 1);
    assertThat(exchange(ALL).path("complete").asBoolean()).isTrue();
    journal.close();
    time.advance(Duration.ofMinutes(1));
    journal = journal(RogersQueryFixture.JOURNAL, Journal.RING_BYTES).start();
    assertThat(exchange(ALL).path("complete").asBoolean()).as("nothing more was said").isTrue();
    time.advance(Duration.ofMinutes(1));
    say(EXCHANGE, "bob", "mad.direct.alice", text("two"));
    await().until(() -> kept() == 2);
    assertThat(exchange(ALL).path("complete").asBoolean()).isFalse();
    assertThat(exchange(ALL).path("incomplete_because").path(0).asText())
        .contains("rogers was not running");
  }

  @Test
  @TriesLimit("rogers.journal-size")
  void theOldestGoWhenThereIsTooMuch() throws Exception {
    journal = journal(new JournalConfig(true, 600_000, Duration.ofHours(1)), 4 << 20);
    for (int i = 0; i < 3_000; i++) {
      say(i < 1_500 ? UUID.randomUUID() : EXCHANGE, "alice", "mad.topic.x", text("number " + i));
    }
    journal.start();
    JournalStore store = new JournalStore(fixture.database());
    await()
        .until(() ->
            exchange(ALL).path("messages").findValuesAsText("text").contains("number 2999")
                && store.held() <= 600_000);
    assertThat(exchange(ALL).path("messages").path(0).path("payload").path("text").asText())
        .as("the newest stay")
        .isNotEqualTo("number 1500");
    assertThat(store.held()).isGreaterThan(30_000);
  }

  @Test
  @TriesLimit("rogers.exchange-messages")
  void oneMessageTooManyIsNotShownAndSaidToBeThere() throws Exception {
    journal.start();
    for (int i = 0; i < JournalExchanges.MOST; i++) {
      say(EXCHANGE, "alice", "mad.topic.x", text("number " + i));
    }
    await().until(() -> kept() == JournalExchanges.MOST);
    assertThat(exchange(ALL).path("incomplete_because").toString()).doesNotContain("more messages");
    say(EXCHANGE, "alice", "mad.topic.x", text("one more"));
    await()
        .untilAsserted(() ->
            assertThat(exchange(ALL).path("incomplete_because").toString())
                .contains("There are more messages: these are the first 1000."));
    assertThat(kept()).isEqualTo(JournalExchanges.MOST);
  }

  @Test
  @TriesLimit("rogers.history-rows")
  void oneRowTooManyDeletesTheOldest() throws Exception {
    RetentionLimits two = new RetentionLimits(2, Duration.ofDays(1));
    fixture.change("create table noted (noted_id integer primary key, at text not null)");
    for (int id = 1; id <= 3; id++) {
      fixture.row("noted", id, RogersQueryFixture.at("15:30:00"));
    }
    var _ =
        fixture
            .database()
            .write(connection -> {
              two.prune(connection, "noted", "noted_id", RogersQueryFixture.NOW);
              return true;
            });
    int oldest =
        fixture
            .database()
            .read(connection ->
                connection
                    .createStatement()
                    .executeQuery("select min(noted_id) from noted")
                    .getInt(1));
    assertThat(oldest).isEqualTo(2);
  }

  @Test
  void whatIsTooOldGoes() throws Exception {
    journal.start();
    say(EXCHANGE, "alice", "mad.topic.x", text("old"));
    await().until(() -> kept() == 1);
    time.advance(Duration.ofHours(25));
    await().until(() -> kept() == 0);
    assertThat(exchange(ALL).path("complete").asBoolean()).isFalse();
  }

  @Test
  void aViewerSeesWhatItSaysWhatItIsToldAndWhatIsForMany() throws Exception {
    journal.start();
    say(EXCHANGE, "alice", "mad.direct.bob", text("to bob"));
    say(EXCHANGE, "bob", "mad.direct.carol", text("to carol"));
    say(EXCHANGE, "bob", "mad.topic.news", text("to many"));
    say(EXCHANGE, "bob", "mad.broadcast", text("to all"));
    await().until(() -> kept() == 4);
    JsonNode seen = exchange(new ReadPermission(Optional.of("alice")));
    assertThat(seen.path("messages").findValuesAsText("text"))
        .containsExactly("to bob", "to many", "to all");
    assertThat(seen.path("complete").asBoolean()).isFalse();
    assertThat(exchange(new ReadPermission(Optional.of("carol"))).path("messages")).hasSize(3);
  }

  private void limitPages(int most) throws Exception {
    fixture
        .database()
        .write(
            connection -> connection.createStatement().execute("pragma max_page_count = " + most));
  }

  /** A full disk is logged once, not at every attempt, and what wasn't stored is recorded later. */
  @Test
  void aFullDiskIsOneLineAndNotTwentyASecond() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    journal =
        new Journal(
            RogersQueryFixture.JOURNAL,
            Journal.RING_BYTES,
            fixture.database(),
            time,
            _ -> {
              looks.incrementAndGet();
              SHORT.pause(Duration.ZERO);
            },
            new SimpleMeterRegistry());
    Logger logger = (Logger) LoggerFactory.getLogger(Journal.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.INFO);
    try {
      limitPages(1);
      journal.start();
      for (int i = 0; i < 200; i++) {
        say(EXCHANGE, "alice", "mad.direct.bob", text("x".repeat(3_000)));
      }
      await().until(() -> journal.leftOut() > 0);
      int before = looks.get();
      await().until(() -> looks.get() > before + 50);
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .singleElement()
          .asString()
          .contains("can't be journalled");
      limitPages(1_000_000);
      await().until(() -> lines.list.size() == 2);
      assertThat(lines.list.getLast().getFormattedMessage())
          .isEqualTo("messages are journalled again; %d are left out".formatted(journal.leftOut()));
      say(EXCHANGE, "alice", "mad.direct.bob", text("after"));
      await().until(() -> kept() > 0);
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
    }
  }

  /** Security: a viewer may not learn whether others have exchanged anything. */
  @Test
  void anotherOnesExchangeReadsAsOneThatDoesNotExist() throws Exception {
    JournalExchanges journalExchanges =
        new JournalExchanges(fixture.database(), RogersQueryFixture.JOURNAL, DirectReaders.ADMINS);
    ReadPermission mallory = new ReadPermission(Optional.of("mallory"));
    fixture.row(
        "not_seen",
        1,
        RogersQueryFixture.at("15:30:00"),
        RogersQueryFixture.at("15:31:00"),
        "away",
        null);
    journal.start();
    say(EXCHANGE, "alice", "mad.direct.bob", text("private"));
    time.advance(Duration.ofMinutes(5));
    say(EXCHANGE, "bob", "mad.direct.alice", text("private, too"));
    await().until(() -> kept() == 2);
    for (JournalExchanges.By by : JournalExchanges.By.values()) {
      JsonNode theirs = journalExchanges.read(by, EXCHANGE, mallory);
      JsonNode none = journalExchanges.read(by, UUID.randomUUID(), mallory);
      assertThat(theirs).isEqualTo(none);
      assertThat(theirs.path("complete").asBoolean()).isFalse();
      assertThat(journalExchanges.newest(by, EXCHANGE, mallory)).isNull();
      assertThat(journalExchanges.newest(by, EXCHANGE, ALL)).isNotNull();
    }
    assertThat(exchange(ALL).path("incomplete_because").toString()).contains("left out");
  }

  @Test
  void whatWaitsIsWrittenAtTheEnd() throws Exception {
    journal.start();
    for (int i = 0; i < 700; i++) {
      say(EXCHANGE, "alice", "mad.topic.x", text("number " + i));
    }
    journal.close();
    assertThat(kept()).isEqualTo(700);
    assertThat(Instant.parse(exchange(ALL).path("journal_since").asText()))
        .isEqualTo(RogersQueryFixture.NOW);
  }
}
