package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ByteBudgetTest {
  @Test
  void noMoreIsTakenThanThereIsAndWhatIsGivenBackCanBeTakenAgain() {
    ByteBudget byteBudget = ByteBudget.of(10);
    assertThat(byteBudget.take(10)).isTrue();
    assertThat(byteBudget.take(1)).isFalse();
    byteBudget.give(4);
    assertThat(byteBudget.take(5)).isFalse();
    assertThat(byteBudget.take(4)).isTrue();
  }

  @Test
  void aPartTakesFromTheWholeAndIsRefusedByEither() {
    ByteBudget whole = ByteBudget.of(10);
    ByteBudget one = whole.part(6);
    ByteBudget other = whole.part(6);
    assertThat(one.take(7)).isFalse();
    assertThat(one.take(6)).isTrue();
    assertThat(other.take(5)).isFalse();
    assertThat(other.take(4)).isTrue();
    one.give(6);
    assertThat(other.take(2)).isTrue();
    assertThat(other.take(1)).as("the part is used up").isFalse();
    assertThat(whole.take(4)).as("a refusal by the part has taken nothing").isTrue();
  }
}
