package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import joshua.rogers.tool.MetricsCollector;
import joshua.state.Database;
import joshua.testing.ManualTime;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LockedDatabaseIT {
  @Test
  @Timeout(120)
  void countingGoesOnWhileTheDatabaseIsLockedAndNothingIsMissingAfterwards() throws Exception {
    ManualTime time = new ManualTime(Instant.parse("2026-03-01T09:59:59.999Z"));
    try (ObserverFixture fixture = ObserverFixture.start();
        RawRedis raw = fixture.redis().raw()) {
      lockAndCount(fixture, raw, time);
    }
  }

  private static void say(RawRedis raw, String sender) {
    raw.publish("mad.topic.x", RawEnvelope.on("mad.topic.x").from(sender).json());
  }

  private static void awaitCounted(ObserverFixture fixture, long messages) {
    await()
        .until(() -> fixture.rows("select messages from watermark").equals(List.of("" + messages)));
  }

  private static void awaitTaken(MetricsCollector collector, long messages) {
    await().until(() -> collector.messages() == messages);
  }

  private static void lockAndCount(ObserverFixture fixture, RawRedis raw, ManualTime time)
      throws Exception {
    MetricsCollector collector = fixture.collector(List.of(), ObserverFixture.LIMITS, time);
    say(raw, "ann");
    awaitCounted(fixture, 1);
    CountDownLatch release = new CountDownLatch(1);
    try (Database other =
        Database.open(fixture.database().file(), Rogers.migrations(), new SimpleMeterRegistry())) {
      Thread holder =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  other.write(connection -> {
                    try (Statement statement = connection.createStatement()) {
                      statement.executeUpdate("update watermark set id = id");
                    }
                    try {
                      release.await();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                    return null;
                  });
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
      long before = 1;
      try {
        while (collector.problem().isEmpty()) {
          say(raw, "ann");
          before++;
          awaitTaken(collector, before);
        }
        time.advance(Duration.ofHours(1));
        say(raw, "bob");
        awaitTaken(collector, before + 1);
      } finally {
        release.countDown();
      }
      holder.join();
      awaitCounted(fixture, before + 1);
      assertThat(collector.problem()).isEmpty();
      assertThat(
              fixture.rows(
                  "select hour_timestamp, sender_id, message_count from hourly_metrics order by 1"))
          .containsExactly(
              "2026-03-01T09:00:00.000Z ann " + before, "2026-03-01T10:00:00.000Z bob 1");
    }
  }
}
