package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogThrottleTest {
  @Test
  void oneLineAnIntervalSaysHowManyThereWere() {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
    LogThrottle throttle = new LogThrottle(Duration.ofNanos(100), nanos::get);
    assertThat(throttle.occurred()).isEqualTo(1);
    for (int i = 0; i < 1_000; i++) {
      assertThat(throttle.occurred()).isZero();
    }
    nanos.addAndGet(99);
    assertThat(throttle.occurred()).isZero();
    nanos.addAndGet(1);
    assertThat(throttle.occurred()).isEqualTo(1_002);
    assertThat(throttle.occurred()).isZero();
  }
}
