package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReconnectBackoffTest {
  @Test
  void doublesFromATenthOfASecondToTenSeconds() {
    List<Long> ceilings =
        IntStream.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 1_000, Integer.MAX_VALUE)
            .mapToObj(attempt -> ReconnectBackoff.ceiling(attempt).toMillis())
            .toList();
    assertThat(ceilings)
        .containsExactly(
            100L, 200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 10_000L, 10_000L, 10_000L, 10_000L);
  }

  @Test
  void anyWaitUpToTheCeilingIsAsLikely() {
    long seed = new Random().nextLong();
    ReconnectBackoff reconnectBackoff = new ReconnectBackoff(new Random(seed));
    List<Duration> waits =
        Stream.generate(() -> reconnectBackoff.before(6)).limit(10_000).sorted().toList();
    assertThat(waits.getFirst())
        .as("seed %d", seed)
        .isBetween(Duration.ZERO, Duration.ofMillis(60));
    assertThat(waits.get(2_500)).isBetween(Duration.ofMillis(1_300), Duration.ofMillis(1_900));
    assertThat(waits.get(7_500)).isBetween(Duration.ofMillis(4_500), Duration.ofMillis(5_100));
    assertThat(waits.getLast()).isBetween(Duration.ofMillis(6_340), Duration.ofMillis(6_400));
  }
}
