package joshua.rogers.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import joshua.conversation.Channel;
import joshua.rogers.alert.StormDetector;
import joshua.rogers.tap.TrackedSender;
import org.junit.jupiter.api.Test;

class SenderRateTest {
  private final SenderRate senderRate = new SenderRate(0);
  private long sent;

  private void seconds(int seconds, int rate) {
    for (int i = 0; i < seconds; i++) {
      sent += rate;
      senderRate.second(sent, 1_000);
    }
  }

  @Test
  void aHundredASecondForTenSecondsIsAStormAndLessIsNone() {
    seconds(9, 100);
    assertThat(senderRate.storms()).isFalse();
    seconds(1, 99);
    seconds(9, 100);
    assertThat(senderRate.storms()).isFalse();
    seconds(1, 100);
    assertThat(senderRate.storms()).isTrue();
    assertThat(senderRate.take()).isEqualTo(1_000);
    seconds(1, 150);
    assertThat(senderRate.take()).isEqualTo(150);
  }

  @Test
  void aBurstOfOneSecondIsNoStorm() {
    seconds(1, 50_000);
    seconds(9, 0);
    assertThat(senderRate.storms()).isFalse();
  }

  @Test
  void whoAlwaysSendsSoMuchDoesNotStorm() {
    seconds(60 * 20, 200);
    assertThat(senderRate.median()).isEqualTo(200);
    seconds(10, 1_999);
    assertThat(senderRate.storms()).isFalse();
    seconds(60, 200);
    seconds(10, 2_000);
    assertThat(senderRate.storms()).isTrue();
  }

  @Test
  void theMedianIsOfTheLastHourAlone() {
    seconds(60 * 40, 1_000);
    assertThat(senderRate.median()).isEqualTo(1_000);
    seconds(60 * 31, 1);
    assertThat(senderRate.median()).isEqualTo(1);
  }

  @Test
  void whoSentAsMuchBeforeRogersStartedDoesNotStorm() {
    TrackedSender steady = new TrackedSender("steady");
    TrackedSender sudden = new TrackedSender("sudden");
    StormDetector stormDetector = new StormDetector(Map.of("steady", 150.0));
    List<StormDetector.Storm> found = List.of();
    for (int second = 1; second <= 11; second++) {
      found = stormDetector.look(List.of(steady, sudden), second * 1_000_000_000L);
      for (int i = 0; i < 200; i++) {
        steady.add(Channel.Kind.TOPIC, 1, second * 1_000L);
        sudden.add(Channel.Kind.TOPIC, 1, second * 1_000L);
      }
    }
    assertThat(found).containsExactly(new StormDetector.Storm("sudden", 2_000, 200, 0));
  }
}
