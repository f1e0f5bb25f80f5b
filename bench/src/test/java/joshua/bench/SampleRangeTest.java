package joshua.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleRangeTest {
  @Test
  void theMedianOfAnOddNumberIsTheOneInTheMiddle() {
    assertThat(SampleRange.of(List.of(9.0, 1.0, 100.0))).isEqualTo(new SampleRange(9, 1, 100));
    assertThat(SampleRange.of(List.of(7.0))).isEqualTo(new SampleRange(7, 7, 7));
  }

  @Test
  void theMedianOfAnEvenNumberLiesHalfwayBetweenTheTwoInTheMiddle() {
    assertThat(SampleRange.of(List.of(4.0, 1.0, 100.0, 2.0))).isEqualTo(new SampleRange(3, 1, 100));
  }

  @Test
  void noSamplesHaveNoMedian() {
    assertThatThrownBy(() -> SampleRange.of(List.of())).hasMessage("no samples");
  }
}
