package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BudgetTest {
  @Test
  void noMoreIsTakenThanThereIsAndWhatIsGivenBackCanBeTakenAgain() {
    Budget budget = Budget.of(10);
    assertThat(budget.take(10)).isTrue();
    assertThat(budget.take(1)).isFalse();
    budget.give(4);
    assertThat(budget.take(5)).isFalse();
    assertThat(budget.take(4)).isTrue();
  }

  @Test
  void aPartTakesFromTheWholeAndIsRefusedByEither() {
    Budget whole = Budget.of(10);
    Budget one = whole.part(6);
    Budget other = whole.part(6);
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
