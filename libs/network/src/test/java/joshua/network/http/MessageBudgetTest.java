package joshua.network.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MessageBudgetTest {
  private final MessageBudget budget =
      new MessageBudget(1_000, Duration.ZERO, Duration.ofSeconds(10));
  private final MessageBudget.Share one = budget.new Share();
  private final MessageBudget.Share other = budget.new Share();

  @Test
  void whatIsFreeNeedsNoRoomAndWhatIsBeyondIsShared() throws Exception {
    assertThat(one.take(MessageBudget.FREE_BYTES + 1_000)).isTrue();
    assertThat(one.take(1)).isFalse();
    assertThat(other.take(MessageBudget.FREE_BYTES)).isTrue();
    assertThat(other.take(1)).isFalse();
    one.give(1);
    assertThat(other.take(1)).isTrue();
    assertThat(other.take(1)).isFalse();
    other.give(MessageBudget.FREE_BYTES);
    assertThat(one.take(1)).isTrue(); // the one byte that is left of the other is free
  }

  @Test
  void aClosedShareHasGivenAllBackOnce() throws Exception {
    assertThat(one.take(MessageBudget.FREE_BYTES + 600)).isTrue();
    one.close();
    one.give(MessageBudget.FREE_BYTES + 600);
    one.close();
    assertThat(one.take(MessageBudget.FREE_BYTES + 1)).isFalse();
    assertThat(other.take(MessageBudget.FREE_BYTES + 1_000)).isTrue();
    assertThat(other.take(1)).isFalse();
  }

  @Test
  void aTextWeighsWhatItsTreeTakes() {
    assertThat(MessageBudget.weight("hello".getBytes(UTF_8))).isEqualTo(5);
    assertThat(MessageBudget.weight("[{},{}]".getBytes(UTF_8))).isEqualTo(7 + 4 * 128);
    byte[] commas = ",".repeat(4_000_000).getBytes(UTF_8);
    assertThat(MessageBudget.weight(commas)).isEqualTo(4_000_000 + 100_000 * 128);
  }
}
