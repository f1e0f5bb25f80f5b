package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The rate of the last ten looks. */
class FlowTest {
  private final Flow flow = new Flow();

  @Test
  void oneLookIsNoRate() {
    flow.look(1_000_000, 5_000);
    assertThat(flow.perSecond()).isZero();
  }

  @Test
  void theRateIsOfTheLastTenLooks() {
    flow.look(0, 0);
    flow.look(500, 1_000);
    assertThat(flow.perSecond()).isEqualTo(500);
    for (int second = 2; second <= 11; second++) {
      flow.look(500 + (second - 1) * 10, second * 1_000L);
    }
    assertThat(flow.perSecond()).isEqualTo(10);
  }

  @Test
  void aClockThatWasSetBackMakesNoRate() {
    flow.look(0, 5_000);
    flow.look(100, 4_000);
    assertThat(flow.perSecond()).isZero();
  }
}
