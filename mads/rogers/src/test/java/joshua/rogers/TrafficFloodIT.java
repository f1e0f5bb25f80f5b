package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import joshua.testing.Flood;
import org.junit.jupiter.api.Test;

/**
 * As many messages as a bare subscriber can just take, and all of them counted: 200 000, or as many
 * as {@code -Djoshua.flood=5000000} says.
 */
class TrafficFloodIT {
  private static final long MESSAGES = Long.getLong("joshua.flood", 200_000);
  private static final long MEASURED = 200_000;

  @Test
  void atTheRateThatABareSubscriberCanJustTakeEveryMessageIsCounted() throws Exception {
    try (Watch watch = Watch.start();
        Flood flood =
            new Flood(
                watch.redis().port(),
                watch.redis().password(),
                Flood.talk(50, 1_000, new Random(1)))) {
      double rate;
      try (BareSubscriber bare = new BareSubscriber(watch.redis())) {
        FloodRate.measure(flood, MEASURED, bare::count);
        rate = FloodRate.measure(flood, MEASURED, bare::count);
      }
      long unheard = flood.sent();
      MetricsCollector collector = watch.collector(List.of());
      long began = System.nanoTime();
      flood.publish(
          MESSAGES,
          sent ->
              (sent - unheard) * (double) TimeUnit.SECONDS.toNanos(1)
                  <= (System.nanoTime() - began) * rate);
      System.out.printf(
          "TrafficFloodIT: %d messages at %.0f/s, a bare subscriber's most%n", MESSAGES, rate);

      await()
          .until(() -> watch.rows("select messages from watermark").equals(List.of("" + MESSAGES)));
      Map<String, Long> counted = new TreeMap<>();
      for (String row :
          watch.rows(
              "select sender_id || ' ' || topic_pattern, sum(message_count)"
                  + " from hourly_metrics group by 1")) {
        int cut = row.lastIndexOf(' ');
        counted.put(row.substring(0, cut), Long.parseLong(row.substring(cut + 1)));
      }
      assertThat(unheard % 1_000).isZero();
      assertThat(counted).isEqualTo(flood.expected(MESSAGES));
      assertThat(watch.rows("select sum(byte_count) from hourly_bytes"))
          .containsExactly("" + flood.expectedBytes(MESSAGES));
      assertThat(watch.rows("select sum(message_count), sum(byte_count) from hourly_channels"))
          .containsExactly(MESSAGES + " " + flood.expectedBytes(MESSAGES));
      assertThat(watch.rows("select reason from not_seen")).containsExactly(Unseen.NOT_RUNNING);
      assertThat(collector.messages()).isEqualTo(MESSAGES);
    }
  }
}
