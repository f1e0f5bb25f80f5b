package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

  @Test
  void aBurstIsTwiceTheRateAndThenTheRateHolds() {
    RateLimit limit = new RateLimit(10, nanos::get);
    for (int i = 0; i < 20; i++) {
      assertThat(limit.take()).isZero();
    }
    assertThat(limit.take()).isEqualTo(100);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(99));
    assertThat(limit.take()).isPositive();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
    assertThat(limit.take()).isZero();
    assertThat(limit.take()).isPositive();
  }

  @Test
  void anIdleConnectionSavesUpNoMoreThanABurst() {
    RateLimit limit = new RateLimit(1, nanos::get);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    assertThat(limit.take()).isZero();
    assertThat(limit.take()).isZero();
    assertThat(limit.take()).isPositive();
  }
}
