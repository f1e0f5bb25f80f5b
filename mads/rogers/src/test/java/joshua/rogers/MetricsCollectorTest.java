package joshua.rogers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import joshua.conversation.ByteRange;
import joshua.conversation.Channel;
import joshua.testing.HandWritten;
import joshua.testing.ManualTime;
import joshua.testing.RawRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetricsCollectorTest {
  private static final String COUNTS =
      "select hour_timestamp, sender_id, topic_pattern, message_count, byte_count"
          + " from hourly_metrics join hourly_bytes using (hour_timestamp, sender_id, topic_pattern)"
          + " order by 1, 2, 3";

  private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T09:59:59.999Z"));
  private Watch watch;
  private RawRedis raw;

  @BeforeEach
  void start() throws Exception {
    watch = Watch.start();
    raw = watch.redis().raw();
  }

  @AfterEach
  void close() {
    raw.close();
    watch.close();
  }

  private int say(String sender, String channel) {
    String body = HandWritten.on(channel).from(sender).json();
    raw.publish(channel, body.getBytes(ISO_8859_1));
    return body.length();
  }

  private void awaitCounted(long messages) {
    await()
        .until(() -> watch.rows("select messages from watermark").equals(List.of("" + messages)));
  }

  @Test
  void messagesAreCountedByHourSenderAndPatternAndTheHourTurnsExactly() throws Exception {
    MetricsCollector collector = watch.collector(List.of(), Watch.LIMITS, time);
    int size = say("ann", "mad.topic.x");
    say("ann", "mad.topic.y");
    await().until(() -> collector.messages() == 2);
    time.advance(Duration.ofMillis(1));
    say("ann", "mad.topic.x");
    await().until(() -> collector.messages() == 3);
    say("ann", "mad.broadcast");
    say("bob", "mad.direct.ann");
    say("bob", "mad.stream.t");
    say("bob", "mad.system.heartbeat");
    say("bob", "mad.elsewhere");
    awaitCounted(8);
    assertThat(
            watch.rows(
                "select hour_timestamp, sender_id, topic_pattern, message_count"
                    + " from hourly_metrics order by 1, 2, 3"))
        .containsExactly(
            "2026-03-01T09:00:00.000Z ann mad.topic 2",
            "2026-03-01T10:00:00.000Z ann mad.broadcast 1",
            "2026-03-01T10:00:00.000Z ann mad.topic 1",
            "2026-03-01T10:00:00.000Z bob mad.direct 1",
            "2026-03-01T10:00:00.000Z bob mad.other 1",
            "2026-03-01T10:00:00.000Z bob mad.stream 1",
            "2026-03-01T10:00:00.000Z bob mad.system 1");
    assertThat(watch.rows("select byte_count from hourly_bytes where hour_timestamp like '%09:%'"))
        .containsExactly("" + 2 * size);
    assertThat(
            watch.rows(
                "select channel, message_count, byte_count from hourly_channels"
                    + " where hour_timestamp like '%T10%' and channel like 'mad.topic.%'"))
        .containsExactly("mad.topic.x 1 " + size);
  }

  @Test
  void whatIsWrittenInSeveralTurnsAddsUp() throws Exception {
    MetricsCollector collector = watch.collector(List.of(), Watch.LIMITS, time);
    int size = say("ann", "mad.topic.x");
    awaitCounted(1);
    say("ann", "mad.topic.x");
    awaitCounted(2);
    assertThat(watch.rows(COUNTS))
        .containsExactly("2026-03-01T09:00:00.000Z ann mad.topic 2 " + 2 * size);
    assertThat(collector.senders()).extracting(Sender::messages).containsExactly(2L);
    assertThat(collector.senders()).extracting(Sender::lastMillis).containsExactly(time.millis());
  }

  @Test
  void malformedMessagesCountUnderAQuestionMark() throws Exception {
    MetricsCollector collector = watch.collector(List.of(), Watch.LIMITS, time);
    raw.publish("mad.topic.x", "{");
    raw.publish("mad.topic.x", new byte[Watch.ENVELOPE_LIMIT + 1]);
    raw.publish("mad.\u00e4", HandWritten.on("mad.\u00e4").json());
    awaitCounted(3);
    assertThat(watch.rows(COUNTS))
        .anyMatch(row -> row.startsWith("2026-03-01T09:00:00.000Z ? mad.other 1 "))
        .contains("2026-03-01T09:00:00.000Z ? mad.topic 2 " + (Watch.ENVELOPE_LIMIT + 2))
        .hasSize(2);
    assertThat(watch.rows("select channel, message_count from hourly_channels order by 1"))
        .containsExactly("? 1", "mad.topic.x 2");
    assertThat(collector.senders()).isEmpty();
  }

  @Test
  @TriesLimit("rogers.names")
  void namesBeyondTheLimitOfAnHourCountTogether() throws Exception {
    MetricsCollector.Limits two =
        new MetricsCollector.Limits(2, Watch.ENVELOPE_LIMIT, Duration.ofDays(1));
    MetricsCollector collector = watch.collector(List.of(), two, time);
    say("ann", "mad.topic.1");
    say("bob", "mad.topic.2");
    say("eve", "mad.topic.3");
    say("joe", "mad.direct.4");
    say("ann", "mad.topic.1");
    awaitCounted(5);
    assertThat(watch.rows("select sender_id, topic_pattern, message_count from hourly_metrics"))
        .containsExactlyInAnyOrder(
            "ann mad.topic 2", "bob mad.topic 1", "* mad.topic 1", "* mad.direct 1");
    assertThat(watch.rows("select channel, message_count from hourly_channels"))
        .containsExactlyInAnyOrder("mad.topic.1 2", "mad.topic.2 1", "* 2");
    time.advance(Duration.ofHours(1));
    await()
        .until(() -> {
          say("eve", "mad.topic.3");
          return !watch
              .rows(
                  "select 1 from hourly_metrics where hour_timestamp like '%T10%' and sender_id = 'eve'")
              .isEmpty();
        });
    assertThat(collector.senders()).extracting(Sender::name).contains("eve", "ann", "bob");
  }

  @Test
  void aTableOfManyNamesFindsEachOfThem() {
    HandOver handOver = new HandOver();
    Tally tally = new Tally(handOver, 10_000);
    tally.at(0);
    ByteRange name = new ByteRange();
    for (int times = 0; times < 3; times++) {
      for (int i = 0; i <= 10_000; i++) {
        name.set(("name-" + i).getBytes(UTF_8));
        assertThat(tally.sender(name).name()).isEqualTo(i < 10_000 ? "name-" + i : "*");
      }
    }
    assertThat(tally.senders()).hasSize(10_000);
    tally.at(Duration.ofHours(1).toMillis());
    name.set("name-7".getBytes(UTF_8));
    Sender seven = tally.sender(name);
    assertThat(tally.senders()).hasSize(10_000).contains(seven);
    tally.at(Duration.ofHours(2).toMillis());
    assertThat(tally.senders()).containsExactly(seven);
  }

  @Test
  @TriesLimit("rogers.unwritten-notes")
  void countsThatNobodyTakesForDaysAreUnseenAndNotZero() {
    HandOver handOver = new HandOver();
    Tally tally = new Tally(handOver, 10);
    ByteRange name = new ByteRange();
    name.set("mad.topic.x".getBytes(UTF_8));
    long hours = HandOver.LIMIT + 3;
    for (long hour = 0; hour < hours; hour++) {
      tally.at(Duration.ofHours(hour).toMillis());
      ChannelTraffic channel = tally.channelOf(name);
      assertThat(channel.kind()).isEqualTo(Channel.Kind.TOPIC);
      tally.count(tally.sender(name), channel, 10, 0);
    }
    assertThat(tally.missed()).isEqualTo(2);
    assertThat(tally.messages()).isEqualTo(hours);
    List<Note> taken = take(handOver);
    assertThat(taken).hasSize(HandOver.LIMIT).allMatch(Counts.class::isInstance);
    tally.handOver();
    assertThat(take(handOver))
        .hasSize(2)
        .first()
        .isEqualTo(
            new Unseen(
                Instant.EPOCH.plus(Duration.ofHours(HandOver.LIMIT)),
                Optional.of(Instant.EPOCH.plus(Duration.ofHours(hours - 1))),
                Unseen.NOT_WRITTEN,
                OptionalLong.of(2)));
  }

  @Test
  @TriesLimit("rogers.unwritten-counts")
  void countsBeyondTheRoomForWhatNobodyTakesAreUnseenAndNotZero() {
    HandOver handOver = new HandOver();
    int names = HandOver.COUNTS / 2;
    Tally tally = new Tally(handOver, names);
    ByteRange name = new ByteRange();
    for (int hour = 0; hour < 2; hour++) {
      tally.at(Duration.ofHours(hour).toMillis());
      for (int i = 0; i < names; i++) {
        name.set(("mad.topic.n" + i).getBytes(UTF_8));
        tally.count(tally.sender(name), tally.channelOf(name), 10, 0);
      }
    }
    tally.at(Duration.ofHours(2).toMillis());
    assertThat(tally.missed()).isEqualTo(names);
    assertThat(take(handOver)).hasSize(1);
    tally.handOver();
    assertThat(take(handOver))
        .first()
        .isInstanceOfSatisfying(
            Unseen.class, unseen -> assertThat(unseen.missed()).isEqualTo(OptionalLong.of(names)));
  }

  private static List<Note> take(HandOver handOver) {
    try {
      return handOver.take(Duration.ZERO);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTapThatIsCutOffIsAProblemUntilItIsBack() throws Exception {
    try (Outlook outlook = new Outlook()) {
      assertThat(outlook.problem()).isEmpty();
      outlook.blind();
      await().until(() -> outlook.problem().orElse("").matches("Redis at .* is away; .*"));
      outlook.see();
      await().until(() -> outlook.problem().isEmpty());
    }
  }
}
