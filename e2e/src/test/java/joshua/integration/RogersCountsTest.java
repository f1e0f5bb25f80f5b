package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import joshua.testing.Await;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever happens to Rogers and Redis: no count is too high, and what isn't counted was published
 * in a time that is stored as not seen (statement 13).
 */
class RogersCountsTest {
  @TempDir Path directory;
  private PublishedMessages messages;

  @BeforeEach
  void take() {
    messages = new PublishedMessages(directory.resolve("rogers/state.db"));
  }

  private TestGroup rogers(RedisServer redis) {
    return TestGroup.of(directory, redis, "rogers");
  }

  private long spans(String which) {
    return messages.number("select count(*) from not_seen where " + which);
  }

  @Test
  void whatIsNotCountedIsReportedAsNotSeen() throws Exception {
    try (RedisServer redis = SharedRedis.another()) {
      try (RawRedis raw = redis.connect();
          TestGroup _ = rogers(redis)) {
        messages.publish(raw, 300);
        Await.until("all are counted", () -> messages.counted() == 300);
        assertThat(spans("true")).isZero();
        messages.publish(raw, 100);
        raw.call("CLIENT", "KILL", "TYPE", "pubsub");
        messages.publish(raw, 100);
        Await.until("it is back, and says so", () -> spans("until_at is not null") == 1);
        messages.publish(raw, 100);
        assertThat(spans("true")).isEqualTo(1);
      }
      assertThat(messages.counted()).as("what was heard is stored at a stop").isBetween(400L, 600L);
      try (RawRedis raw = redis.connect()) {
        messages.publish(raw, 50);
        long before = messages.counted();
        try (TestGroup _ = rogers(redis)) {
          assertThat(spans("true")).isEqualTo(2);
          messages.publish(raw, 70);
          Await.until("the new ones are counted", () -> messages.counted() == before + 70);
        }
      }
      assertThat(messages.counted())
          .isBetween(messages.mustBeCounted(), messages.published() - 50L);
    }
  }

  @Test
  void itRecordsItsOwnLeave() throws Exception {
    try (RedisServer redis = SharedRedis.another()) {
      rogers(redis).close();
      assertThat(
              messages.number(
                  "select count(*) from connections where mad_id = 'rogers' and cause = 'left'"))
          .isEqualTo(1);
    }
  }
}
