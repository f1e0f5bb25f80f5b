package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import joshua.integration.PublishedMessages;
import joshua.integration.SharedRedis;
import joshua.program.Program.Run;
import joshua.testing.Await;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rogers is killed at random moments in a flood: it counts nothing twice, and says when it didn't
 * count (statement 13). Hours are those of UTC, wherever the machine is.
 */
class KilledRogersTest {
  private static final int KILLS = Integer.getInteger("joshua.rogers.kills", 3);
  private static final int LONGEST_LIFE_MS = 3_000;
  private static final int MOST = 1_000_000;

  private final long seed = Long.getLong("joshua.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void whatIsNotCountedIsReportedAsNotSeen(@TempDir Path directory) throws Exception {
    System.out.println("seed " + seed);
    try (RedisServer redis = SharedRedis.another();
        RawRedis raw = redis.connect()) {
      Map<String, String> settings = Program.settings(directory, redis.url(), redis.password());
      settings.put("TZ", "Pacific/Chatham"); // 45 minutes beside the hour
      PublishedMessages messages =
          new PublishedMessages(directory.resolve("data/rogers/rogers_state.db"));
      try (Program program = new Program(directory, settings)) {
        Thread flood = null;
        for (int i = 0; i < KILLS; i++) {
          Run run = program.start("up", "rogers");
          run.awaitSaid("Joshua");
          if (flood == null) {
            flood = Thread.ofPlatform().start(() -> flood(redis, messages));
          }
          run.killAfter(random.nextInt(LONGEST_LIFE_MS));
        }
        Run last = program.start("up", "rogers");
        last.awaitSaid("Joshua");
        over.set(true);
        flood.join();
        String sentinel = "mad.topic.end";
        raw.publish(sentinel, RawEnvelope.on(sentinel).from("bob").json());
        Await.until(
            "the end is counted",
            () -> messages.number("select count(*) from traffic where sender_id = 'bob'") == 1);
        assertThat(messages.counted())
            .as("seed " + seed)
            .isPositive()
            .isBetween(messages.mustBeCounted(), (long) messages.published());
        assertThat(messages.number("select count(*) from not_seen")).isEqualTo(KILLS);
        assertThat(messages.number("select max(hour_at % 3600000) from traffic")).isZero();
        System.out.printf(
            "%d kills, %d messages, %d counted, %d seen%n",
            KILLS, messages.published(), messages.counted(), messages.mustBeCounted());
      }
    }
  }

  private void flood(RedisServer redis, PublishedMessages messages) {
    try (RawRedis raw = redis.connect()) {
      while (!over.get() && messages.published() < MOST) {
        messages.publish(raw, 100);
      }
    }
  }
}
