package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import joshua.rogers.tap.UnwatchedSpan;
import joshua.rogers.tool.MetricsCollector;
import joshua.testing.MessageFlood;
import org.junit.jupiter.api.Test;

/**
 * Publishes as many messages as a bare subscriber can just take, and checks that all are counted:
 * 200 000, or the number set by {@code -Djoshua.flood=5000000}.
 */
class TrafficFloodIT {
  private static final long MESSAGES = Long.getLong("joshua.flood", 200_000);
  private static final long MEASURED = 200_000;

  @Test
  void atTheRateThatABareSubscriberCanJustTakeEveryMessageIsCounted() throws Exception {
    try (ObserverFixture fixture = ObserverFixture.start();
        MessageFlood messageFlood =
            new MessageFlood(
                fixture.redis().port(),
                fixture.redis().password(),
                MessageFlood.talk(50, 1_000, new Random(1)))) {
      double rate;
      try (BareSubscriber bare = new BareSubscriber(fixture.redis())) {
        FloodRate.measure(messageFlood, MEASURED, bare::count);
        rate = FloodRate.measure(messageFlood, MEASURED, bare::count);
      }
      long unheard = messageFlood.sent();
      MetricsCollector collector = fixture.collector(List.of());
      long began = System.nanoTime();
      messageFlood.publish(
          MESSAGES,
          sent ->
              (sent - unheard) * (double) TimeUnit.SECONDS.toNanos(1)
                  <= (System.nanoTime() - began) * rate);
      System.out.printf(
          "TrafficFloodIT: %d messages at %.0f/s, a bare subscriber's most%n", MESSAGES, rate);

      await()
          .until(
              () -> fixture.rows("select messages from watermark").equals(List.of("" + MESSAGES)));
      Map<String, Long> counted = new TreeMap<>();
      for (String row :
          fixture.rows(
              "select sender_id || ' ' || topic_pattern, sum(message_count)"
                  + " from hourly_metrics group by 1")) {
        int cut = row.lastIndexOf(' ');
        counted.put(row.substring(0, cut), Long.parseLong(row.substring(cut + 1)));
      }
      assertThat(unheard % 1_000).isZero();
      assertThat(counted).isEqualTo(messageFlood.expected(MESSAGES));
      assertThat(fixture.rows("select sum(byte_count) from hourly_bytes"))
          .containsExactly("" + messageFlood.expectedBytes(MESSAGES));
      assertThat(fixture.rows("select sum(message_count), sum(byte_count) from hourly_channels"))
          .containsExactly(MESSAGES + " " + messageFlood.expectedBytes(MESSAGES));
      assertThat(fixture.rows("select reason from not_seen"))
          .containsExactly(UnwatchedSpan.NOT_RUNNING);
      assertThat(collector.messages()).isEqualTo(MESSAGES);
    }
  }
}
