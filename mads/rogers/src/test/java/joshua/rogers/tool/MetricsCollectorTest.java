package joshua.rogers.tool;

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
import joshua.rogers.ObserverFixture;
import joshua.rogers.RegistryFixture;
import joshua.rogers.tap.ChannelTraffic;
import joshua.rogers.tap.FlushItem;
import joshua.rogers.tap.FlushQueue;
import joshua.rogers.tap.HourlyCounts;
import joshua.rogers.tap.TrackedSender;
import joshua.rogers.tap.UnwatchedSpan;
import joshua.rogers.traffic.HourlyCounter;
import joshua.testing.ManualTime;
import joshua.testing.RawEnvelope;
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
  private ObserverFixture observerFixture;
  private RawRedis raw;

  @BeforeEach
  void start() throws Exception {
    observerFixture = ObserverFixture.start();
    raw = observerFixture.redis().raw();
  }

  @AfterEach
  void close() {
    raw.close();
    observerFixture.close();
  }

  private int say(String sender, String channel) {
    String body = RawEnvelope.on(channel).from(sender).json();
    raw.publish(channel, body.getBytes(ISO_8859_1));
    return body.length();
  }

  private void awaitCounted(long messages) {
    await()
        .until(() ->
            observerFixture.rows("select messages from watermark").equals(List.of("" + messages)));
  }

  @Test
  void messagesAreCountedByHourSenderAndPatternAndTheHourTurnsExactly() throws Exception {
    MetricsCollector collector = observerFixture.collector(List.of(), ObserverFixture.LIMITS, time);
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
            observerFixture.rows(
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
    assertThat(
            observerFixture.rows(
                "select byte_count from hourly_bytes where hour_timestamp like '%09:%'"))
        .containsExactly("" + 2 * size);
    assertThat(
            observerFixture.rows(
                "select channel, message_count, byte_count from hourly_channels"
                    + " where hour_timestamp like '%T10%' and channel like 'mad.topic.%'"))
        .containsExactly("mad.topic.x 1 " + size);
  }

  @Test
  void whatIsWrittenInSeveralTurnsAddsUp() throws Exception {
    MetricsCollector collector = observerFixture.collector(List.of(), ObserverFixture.LIMITS, time);
    int size = say("ann", "mad.topic.x");
    awaitCounted(1);
    say("ann", "mad.topic.x");
    awaitCounted(2);
    assertThat(observerFixture.rows(COUNTS))
        .containsExactly("2026-03-01T09:00:00.000Z ann mad.topic 2 " + 2 * size);
    assertThat(collector.senders()).extracting(TrackedSender::messages).containsExactly(2L);
    assertThat(collector.senders())
        .extracting(TrackedSender::lastMillis)
        .containsExactly(time.millis());
  }

  @Test
  void malformedMessagesCountUnderAQuestionMark() throws Exception {
    MetricsCollector collector = observerFixture.collector(List.of(), ObserverFixture.LIMITS, time);
    raw.publish("mad.topic.x", "{");
    raw.publish("mad.topic.x", new byte[ObserverFixture.ENVELOPE_LIMIT + 1]);
    raw.publish("mad.\u00e4", RawEnvelope.on("mad.\u00e4").json());
    awaitCounted(3);
    assertThat(observerFixture.rows(COUNTS))
        .anyMatch(row -> row.startsWith("2026-03-01T09:00:00.000Z ? mad.other 1 "))
        .contains("2026-03-01T09:00:00.000Z ? mad.topic 2 " + (ObserverFixture.ENVELOPE_LIMIT + 2))
        .hasSize(2);
    assertThat(
            observerFixture.rows("select channel, message_count from hourly_channels order by 1"))
        .containsExactly("? 1", "mad.topic.x 2");
    assertThat(collector.senders()).isEmpty();
  }

  @Test
  @TriesLimit("rogers.names")
  void namesBeyondTheLimitOfAnHourCountTogether() throws Exception {
    MetricsCollector.Limits two =
        new MetricsCollector.Limits(2, ObserverFixture.ENVELOPE_LIMIT, Duration.ofDays(1));
    MetricsCollector collector = observerFixture.collector(List.of(), two, time);
    say("ann", "mad.topic.1");
    say("bob", "mad.topic.2");
    say("eve", "mad.topic.3");
    say("joe", "mad.direct.4");
    say("ann", "mad.topic.1");
    awaitCounted(5);
    assertThat(
            observerFixture.rows(
                "select sender_id, topic_pattern, message_count from hourly_metrics"))
        .containsExactlyInAnyOrder(
            "ann mad.topic 2", "bob mad.topic 1", "* mad.topic 1", "* mad.direct 1");
    assertThat(observerFixture.rows("select channel, message_count from hourly_channels"))
        .containsExactlyInAnyOrder("mad.topic.1 2", "mad.topic.2 1", "* 2");
    time.advance(Duration.ofHours(1));
    await()
        .until(() -> {
          say("eve", "mad.topic.3");
          return !observerFixture
              .rows(
                  "select 1 from hourly_metrics where hour_timestamp like '%T10%' and sender_id = 'eve'")
              .isEmpty();
        });
    assertThat(collector.senders()).extracting(TrackedSender::name).contains("eve", "ann", "bob");
  }

  @Test
  void aTableOfManyNamesFindsEachOfThem() {
    FlushQueue flushQueue = new FlushQueue();
    HourlyCounter hourlyCounter = new HourlyCounter(flushQueue, 10_000);
    hourlyCounter.at(0);
    ByteRange name = new ByteRange();
    for (int times = 0; times < 3; times++) {
      for (int i = 0; i <= 10_000; i++) {
        name.set(("name-" + i).getBytes(UTF_8));
        assertThat(hourlyCounter.sender(name).name()).isEqualTo(i < 10_000 ? "name-" + i : "*");
      }
    }
    assertThat(hourlyCounter.senders()).hasSize(10_000);
    hourlyCounter.at(Duration.ofHours(1).toMillis());
    name.set("name-7".getBytes(UTF_8));
    TrackedSender seven = hourlyCounter.sender(name);
    assertThat(hourlyCounter.senders()).hasSize(10_000).contains(seven);
    hourlyCounter.at(Duration.ofHours(2).toMillis());
    assertThat(hourlyCounter.senders()).containsExactly(seven);
  }

  @Test
  @TriesLimit("rogers.unwritten-notes")
  void countsThatNobodyTakesForDaysAreUnseenAndNotZero() {
    FlushQueue flushQueue = new FlushQueue();
    HourlyCounter hourlyCounter = new HourlyCounter(flushQueue, 10);
    ByteRange name = new ByteRange();
    name.set("mad.topic.x".getBytes(UTF_8));
    long hours = FlushQueue.LIMIT + 3;
    for (long hour = 0; hour < hours; hour++) {
      hourlyCounter.at(Duration.ofHours(hour).toMillis());
      ChannelTraffic channel = hourlyCounter.channelOf(name);
      assertThat(channel.kind()).isEqualTo(Channel.Kind.TOPIC);
      hourlyCounter.count(hourlyCounter.sender(name), channel, 10, 0);
    }
    assertThat(hourlyCounter.missed()).isEqualTo(2);
    assertThat(hourlyCounter.messages()).isEqualTo(hours);
    List<FlushItem> taken = take(flushQueue);
    assertThat(taken).hasSize(FlushQueue.LIMIT).allMatch(HourlyCounts.class::isInstance);
    hourlyCounter.handOver();
    assertThat(take(flushQueue))
        .hasSize(2)
        .first()
        .isEqualTo(
            new UnwatchedSpan(
                Instant.EPOCH.plus(Duration.ofHours(FlushQueue.LIMIT)),
                Optional.of(Instant.EPOCH.plus(Duration.ofHours(hours - 1))),
                UnwatchedSpan.NOT_WRITTEN,
                OptionalLong.of(2)));
  }

  @Test
  @TriesLimit("rogers.unwritten-counts")
  void countsBeyondTheRoomForWhatNobodyTakesAreUnseenAndNotZero() {
    FlushQueue flushQueue = new FlushQueue();
    int names = FlushQueue.COUNTS / 2;
    HourlyCounter hourlyCounter = new HourlyCounter(flushQueue, names);
    ByteRange name = new ByteRange();
    for (int hour = 0; hour < 2; hour++) {
      hourlyCounter.at(Duration.ofHours(hour).toMillis());
      for (int i = 0; i < names; i++) {
        name.set(("mad.topic.n" + i).getBytes(UTF_8));
        hourlyCounter.count(hourlyCounter.sender(name), hourlyCounter.channelOf(name), 10, 0);
      }
    }
    hourlyCounter.at(Duration.ofHours(2).toMillis());
    assertThat(hourlyCounter.missed()).isEqualTo(names);
    assertThat(take(flushQueue)).hasSize(1);
    hourlyCounter.handOver();
    assertThat(take(flushQueue))
        .first()
        .isInstanceOfSatisfying(
            UnwatchedSpan.class,
            unwatchedSpan -> assertThat(unwatchedSpan.missed()).isEqualTo(OptionalLong.of(names)));
  }

  private static List<FlushItem> take(FlushQueue flushQueue) {
    try {
      return flushQueue.take(Duration.ZERO);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTapThatIsCutOffIsAProblemUntilItIsBack() throws Exception {
    try (RegistryFixture fixture = new RegistryFixture()) {
      assertThat(fixture.problem()).isEmpty();
      fixture.blind();
      await().until(() -> fixture.problem().orElse("").matches("Redis at .* is away; .*"));
      fixture.see();
      await().until(() -> fixture.problem().isEmpty());
    }
  }
}
