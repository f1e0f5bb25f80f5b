package joshua.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TreeTurnsTest {
  private static byte[] tree(int objects) {
    return ("[" + "{},".repeat(objects) + "0]").getBytes(UTF_8);
  }

  @Test
  void oneTreeTooManyWaitsUntilAnotherIsDone() throws Exception {
    byte[] large = tree(10_000);
    long cost = TreeCost.of(large);
    TreeTurns turns = new TreeTurns(2 * cost + 4096);
    TreeTurns.Turn first = turns.take(large);
    TreeTurns.Turn second = turns.take(large);
    CountDownLatch third = new CountDownLatch(1);
    Thread waiting =
        Thread.ofVirtual()
            .start(() -> {
              try (TreeTurns.Turn _ = turns.take(large)) {
                third.countDown();
              }
            });
    assertThat(third.await(200, TimeUnit.MILLISECONDS)).isFalse();
    first.close();
    assertThat(third.await(10, TimeUnit.SECONDS)).isTrue();
    waiting.join();
    second.close();
    assertThat(turns.free()).isEqualTo((2 * cost + 4096) / 1024 * 1024);
  }

  @Test
  void aSmallMessageNeedsNoTurnAndTheLargestFindsOne() {
    TreeTurns turns = new TreeTurns(100_000);
    try (TreeTurns.Turn _ = turns.take(tree(100_000))) {
      assertThat(turns.free()).isLessThan(1024);
      turns.take(tree(5_000)).close();
    }
  }
}
