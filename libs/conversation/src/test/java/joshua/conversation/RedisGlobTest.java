package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

/** Our matching of patterns against Redis' own; the printed seed replays a failure. */
class RedisGlobTest {
  private static final int ROUNDS = 6_000;
  private static final String[] PATTERN_PARTS = {
    "*", "*", "?", "a", "b", "c", ".", "-", "[", "]", "[^", "[a-c]", "[c-a]", "[^a]", "[]", "[^]",
    "[\\]]", "\\", "\\*", "\\\\", "^", "[a-", "[a-]"
  };
  private static final String[] CHANNEL_PARTS = {
    "a", "b", "c", ".", "-", "*", "?", "[", "]", "\\", "^", "aa", "ü"
  };

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void matchesExactlyWhatRedisMatches() {
    System.out.println("RedisGlobTest seed " + seed);
    try (RealRedis redis = RealRedis.start();
        RawRedis subscriber = redis.raw();
        RawRedis publisher = redis.raw()) {
      int matches = 0;
      for (int round = 0; round < ROUNDS / 20; round++) {
        String pattern = "mad." + some(PATTERN_PARTS, 7);
        subscriber.call("PSUBSCRIBE", pattern);
        for (int i = 0; i < 20; i++) {
          String channel = "mad." + some(CHANNEL_PARTS, 6);
          boolean byRedis = publisher.publish(channel, "x") == 1;
          if (byRedis) {
            subscriber.read();
            matches++;
          }
          assertThat(RedisGlob.matches(bytewise(pattern), bytewise(channel)))
              .as("seed %d: does %s match %s?", seed, pattern, channel)
              .isEqualTo(byRedis);
        }
        subscriber.call("PUNSUBSCRIBE", pattern);
      }
      // Both results must occur, or this proves little.
      assertThat(matches).isBetween(ROUNDS / 50, ROUNDS * 49 / 50);
    }
  }

  @Test
  void manyStarsDoNotTakeForEver() {
    String pattern = "mad." + "*a".repeat(120) + "b";
    assertThat(RedisGlob.matches(pattern, "mad." + "a".repeat(160))).isFalse();
  }

  private String some(String[] parts, int most) {
    StringBuilder text = new StringBuilder();
    for (int count = 1 + random.nextInt(most); count > 0; count--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  private static String bytewise(String text) {
    return new String(
        text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
        java.nio.charset.StandardCharsets.ISO_8859_1);
  }
}
