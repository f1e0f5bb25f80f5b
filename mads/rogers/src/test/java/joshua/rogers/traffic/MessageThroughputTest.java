package joshua.rogers.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The rate over the last ten readings. */
class MessageThroughputTest {
  private final MessageThroughput messageThroughput = new MessageThroughput();

  @Test
  void oneLookIsNoRate() {
    messageThroughput.look(1_000_000, 5_000);
    assertThat(messageThroughput.perSecond()).isZero();
  }

  @Test
  void theRateIsOfTheLastTenLooks() {
    messageThroughput.look(0, 0);
    messageThroughput.look(500, 1_000);
    assertThat(messageThroughput.perSecond()).isEqualTo(500);
    for (int second = 2; second <= 11; second++) {
      messageThroughput.look(500 + (second - 1) * 10, second * 1_000L);
    }
    assertThat(messageThroughput.perSecond()).isEqualTo(10);
  }

  @Test
  void aClockThatWasSetBackMakesNoRate() {
    messageThroughput.look(0, 5_000);
    messageThroughput.look(100, 4_000);
    assertThat(messageThroughput.perSecond()).isZero();
  }
}
