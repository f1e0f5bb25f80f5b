package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AwakeTimeTest {
  @Test
  void sleepIsLeftOut() {
    AtomicLong seconds = new AtomicLong(100);
    AwakeTime awake = new AwakeTime(() -> TimeUnit.SECONDS.toNanos(seconds.get()));
    assertThat(awake.nanos()).isZero();
    seconds.addAndGet(3);
    assertThat(awake.nanos()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
    seconds.addAndGet(3_600);
    assertThat(awake.nanos()).isEqualTo(TimeUnit.SECONDS.toNanos(3) + AwakeTime.MAX_STEP.toNanos());
    seconds.addAndGet(1);
    assertThat(awake.nanos()).isEqualTo(TimeUnit.SECONDS.toNanos(4) + AwakeTime.MAX_STEP.toNanos());
  }
}
