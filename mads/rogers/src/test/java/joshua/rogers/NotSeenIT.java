package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import joshua.rogers.tap.HourlyCounts;
import joshua.rogers.tap.UnwatchedSpan;
import joshua.rogers.tool.MetricsCollector;
import joshua.rogers.traffic.TrafficStore;
import joshua.testing.ManualTime;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NotSeenIT {
  private static final String SPANS =
      "select since, until, reason, missed from not_seen order by span_id";

  private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T10:00:00Z"));
  private ObserverFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = ObserverFixture.start();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void say(String sender) {
    try (RawRedis raw = fixture.redis().raw()) {
      raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.x").from(sender).json());
    }
  }

  private void awaitRows(String sql, String... rows) {
    await().untilAsserted(() -> assertThat(fixture.rows(sql)).containsExactly(rows));
  }

  @Test
  void beforeTheFirstStartAndBetweenTwoLivesNothingWasSeen() throws Exception {
    MetricsCollector first = fixture.collector(List.of(), ObserverFixture.LIMITS, time);
    String before = "1970-01-01T00:00:00.000Z 2026-03-01T10:00:00.000Z rogers was not running null";
    awaitRows(SPANS, before);
    time.advance(Duration.ofSeconds(7));
    say("ann");
    awaitRows("select seen_until, messages from watermark", "2026-03-01T10:00:07.000Z 1");
    first.close();

    time.advance(Duration.ofMinutes(5));
    say("unheard");
    fixture.collector(List.of(), ObserverFixture.LIMITS, time);
    awaitRows(
        SPANS,
        before,
        "2026-03-01T10:00:07.000Z 2026-03-01T10:05:07.000Z rogers was not running null");
    say("ann");
    awaitRows("select seen_until, messages from watermark", "2026-03-01T10:05:07.000Z 2");
  }

  @Test
  void theWatermarkMovesOnlyWithWhatHasBeenCountedAndAlsoInSilence() throws Exception {
    fixture.collector(List.of(), ObserverFixture.LIMITS, time);
    awaitRows("select seen_until, messages from watermark", "2026-03-01T10:00:00.000Z 0");
    time.advance(Duration.ofMinutes(1));
    awaitRows("select seen_until, messages from watermark", "2026-03-01T10:01:00.000Z 0");
  }

  @Test
  void whatIsCountedUntilAStopIsWritten() throws Exception {
    MetricsCollector collector = fixture.collector(List.of(), ObserverFixture.LIMITS, time);
    say("ann");
    await().until(() -> collector.messages() == 1);
    collector.close();
    assertThat(fixture.rows("select messages from watermark")).containsExactly("1");
  }

  @Test
  void theBusAwayIsASpanThatIsOpenUntilItIsBack() throws Exception {
    MetricsCollector collector = fixture.collector(List.of(), ObserverFixture.LIMITS, time);
    time.advance(Duration.ofSeconds(10));
    awaitRows("select seen_until from watermark", "2026-03-01T10:00:10.000Z");
    fixture.redis().freeze();
    time.advance(Duration.ofSeconds(50));
    // Its sockets are closed by the kernel.
    fixture.redis().kill();
    await().untilAsserted(() -> assertThat(fixture.rows(SPANS)).hasSizeGreaterThan(1));
    awaitRows(
        "select since, reason from not_seen where span_id > 1",
        "2026-03-01T10:00:10.000Z the bus was away");
    await().until(() -> collector.problem().isEmpty());
    awaitRows("select count(*) from not_seen where until is null", "0");
    awaitRows(
        "select since, until from not_seen where span_id > 1",
        "2026-03-01T10:00:10.000Z 2026-03-01T10:01:00.000Z");
    awaitRows("select seen_until from watermark", "2026-03-01T10:01:00.000Z");
  }

  @Test
  void aSpanLeftOpenByALifeThatEndedIsClosedByTheNext() throws Exception {
    fixture
        .database()
        .write(connection -> {
          TrafficStore.write(
              connection,
              List.of(
                  UnwatchedSpan.from(Instant.parse("2026-03-01T09:00:00Z"), UnwatchedSpan.BUS_AWAY),
                  new HourlyCounts(
                      Instant.parse("2026-03-01T09:00:00Z"),
                      Instant.parse("2026-03-01T09:00:00Z"))));
          return null;
        });
    fixture.collector(List.of(), ObserverFixture.LIMITS, time);
    awaitRows(
        SPANS,
        "2026-03-01T09:00:00.000Z 2026-03-01T10:00:00.000Z the bus was away null",
        "2026-03-01T09:00:00.000Z 2026-03-01T10:00:00.000Z rogers was not running null");
  }

  @Test
  void whatIsOldIsDeletedInPortionsAndIsUnseenFromThenOn() throws Exception {
    fixture
        .database()
        .write(connection -> {
          for (int day = 1; day <= 3; day++) {
            HourlyCounts hourlyCounts =
                new HourlyCounts(
                    Instant.parse("2026-02-0%dT05:00:00Z".formatted(day)),
                    Instant.parse("2026-02-10T09:00:00Z"));
            for (int i = 0; i < 700; i++) {
              hourlyCounts.sent("s" + i, joshua.conversation.Channel.Kind.TOPIC, 1, 1);
              hourlyCounts.published("mad.topic." + i, 1, 1);
            }
            TrafficStore.write(connection, List.of(hourlyCounts));
          }
          return null;
        });
    MetricsCollector.Limits days =
        new MetricsCollector.Limits(100, ObserverFixture.ENVELOPE_LIMIT, Duration.ofDays(26));
    fixture.collector(List.of(), days, time);
    awaitRows("select distinct hour_timestamp from hourly_metrics", "2026-02-03T05:00:00.000Z");
    awaitRows("select distinct hour_timestamp from hourly_bytes", "2026-02-03T05:00:00.000Z");
    awaitRows("select distinct hour_timestamp from hourly_channels", "2026-02-03T05:00:00.000Z");
    awaitRows(
        SPANS,
        "1970-01-01T00:00:00.000Z 2026-02-03T10:00:00.000Z older than what is kept null",
        "2026-02-10T09:00:00.000Z 2026-03-01T10:00:00.000Z rogers was not running null");
  }
}
