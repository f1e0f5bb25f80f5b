package joshua.rogers.count;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import joshua.conversation.envelope.Channel.Kind;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

class TrafficCounterTest {
  private static final Instant HOUR = Instant.parse("2026-11-27T14:00:00Z");

  private final TrafficCounter counter = new TrafficCounter(new TrafficCounter.Limits(4, 6, 3));

  private Kind count(String sender, String channel, Instant at) {
    byte[] body = RawEnvelope.on(channel).from(sender).json().getBytes(UTF_8);
    return counter.count(channel, body, at.toEpochMilli());
  }

  private Map<String, Long> drained() {
    Map<String, Long> drained = new HashMap<>();
    for (TrafficCount each : counter.drain()) {
      String key = "%s %s %s".formatted(each.hour(), each.sender(), each.channel());
      assertThat(drained.put(key, each.messages())).isNull();
    }
    return drained;
  }

  @Test
  void countsByHourSenderAndChannel() {
    Instant end = HOUR.plusMillis(3_599_999);
    assertThat(count("ann", "mad.topic.a", HOUR)).isEqualTo(Kind.TOPIC);
    assertThat(count("ann", "mad.topic.a", end)).isEqualTo(Kind.TOPIC);
    assertThat(count("ann", "mad.direct.bob", end)).isEqualTo(Kind.DIRECT);
    assertThat(count("bob", "mad.system.heartbeat", end)).isEqualTo(Kind.SYSTEM);
    count("ann", "mad.topic.a", end.plusMillis(1));
    List<TrafficCount> drained = counter.drain();
    assertThat(drained).hasSize(4);
    assertThat(drained.getFirst().hour()).isEqualTo(HOUR);
    assertThat(drained.getFirst().messages()).isEqualTo(2);
    assertThat(drained.getFirst().lastAt()).isEqualTo(end);
    assertThat(drained.getFirst().bytes())
        .isEqualTo(2L * RawEnvelope.on("mad.topic.a").from("ann").json().length());
    assertThat(drained.getLast().hour()).isEqualTo(HOUR.plusSeconds(3_600));
    assertThat(counter.drain()).isEmpty();
  }

  @Test
  void streamsAreOneAndWhatIsUnreadableCountsByItsChannel() {
    count("fiedler", "mad.stream.one", HOUR);
    count("fiedler", "mad.stream.two", HOUR);
    counter.count("mad.topic.a", "garbage".getBytes(UTF_8), HOUR.toEpochMilli());
    assertThat(counter.count("mad.\u0001", "x".getBytes(UTF_8), HOUR.toEpochMilli()))
        .isEqualTo(Kind.OTHER);
    assertThat(drained())
        .isEqualTo(
            Map.of(
                HOUR + " fiedler mad.stream.*", 2L,
                HOUR + " ? mad.topic.a", 1L,
                HOUR + " ? mad.other.*", 1L));
  }

  @Test
  void whatIsBeyondTheLimitsIsCountedTogether() {
    for (int i = 0; i < 5; i++) {
      count("ann", "mad.topic." + i, HOUR);
    }
    for (int i = 0; i < 9; i++) {
      count("s" + i, "mad.direct.x", HOUR);
    }
    count("ann", "mad.topic.0", HOUR);
    assertThat(drained())
        .isEqualTo(
            Map.of(
                HOUR + " ann mad.topic.0", 2L,
                HOUR + " ann mad.topic.1", 1L,
                HOUR + " ann mad.topic.2", 1L,
                HOUR + " ann mad.topic.*", 2L,
                HOUR + " s0 mad.direct.x", 1L,
                HOUR + " s1 mad.direct.x", 1L,
                HOUR + " s2 mad.direct.*", 1L,
                HOUR + " * mad.direct.*", 6L));
    count("late", "mad.direct.x", HOUR.plusSeconds(3_600)); // the next hour has room again
    assertThat(drained()).containsOnlyKeys(HOUR.plusSeconds(3_600) + " late mad.direct.x");
  }
}
