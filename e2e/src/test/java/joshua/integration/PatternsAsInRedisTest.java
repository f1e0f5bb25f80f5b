package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import joshua.conversation.envelope.ChannelPattern;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** Our matching of patterns against that of Redis; the seed in the message replays a failure. */
class PatternsAsInRedisTest {
  private static final int PATTERNS = 300;
  private static final int CHANNELS = 20;
  private static final String[] PATTERN_PARTS = {
    "*", "*", "?", "a", "b", "c", ".", "-", "[", "]", "[^", "[a-c]", "[c-a]", "[^a]", "[]", "[^]",
    "[\\]]", "\\", "\\*", "\\\\", "^", "[a-", "[a-]"
  };
  private static final String[] CHANNEL_PARTS = {
    "a", "b", "c", ".", "-", "*", "?", "[", "]", "\\", "^", "aa"
  };

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void aPatternMatchesWhatRedisMatches() {
    try (RedisServer redis = SharedRedis.another();
        RawRedis subscriber = redis.connect();
        RawRedis publisher = redis.connect()) {
      for (int round = 0; round < PATTERNS; round++) {
        Optional<ChannelPattern> pattern = ChannelPattern.parse("mad." + some(PATTERN_PARTS, 7));
        if (pattern.isEmpty()) {
          continue; // Neither a glob nor a channel.
        }
        String text = pattern.get().text();
        subscriber.call(pattern.get().isGlob() ? "PSUBSCRIBE" : "SUBSCRIBE", text);
        for (int i = 0; i < CHANNELS; i++) {
          String channel = "mad." + some(CHANNEL_PARTS, 6);
          boolean byRedis = publisher.publish(channel, "x") == 1;
          if (byRedis) {
            subscriber.read();
          }
          assertThat(pattern.get().matches(channel))
              .as("seed %d: does %s match %s?", seed, text, channel)
              .isEqualTo(byRedis);
        }
        subscriber.call(pattern.get().isGlob() ? "PUNSUBSCRIBE" : "UNSUBSCRIBE", text);
      }
    }
  }

  @Test
  void manyStarsDoNotTakeForEver() {
    ChannelPattern pattern = new ChannelPattern("mad." + "*a".repeat(120) + "b");
    assertThat(pattern.matches("mad." + "a".repeat(160))).isFalse();
  }

  private String some(String[] parts, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most) + 1; i > 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }
}
