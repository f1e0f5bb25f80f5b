package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Work that recurs whatever it fails with. */
class RecurringTest {
  @Test
  void aSchedulerGoesOnAfterExceptionsAndErrors() throws Exception {
    CountDownLatch third = new CountDownLatch(3);
    try (var scheduler = Executors.newSingleThreadScheduledExecutor()) {
      var repeated =
          scheduler.scheduleWithFixedDelay(
              Recurring.surviving(() -> {
                third.countDown();
                if (third.getCount() == 2) {
                  throw new IllegalStateException("the first time");
                } else if (third.getCount() == 1) {
                  throw new StackOverflowError("the second time");
                }
              }),
              0,
              1,
              TimeUnit.MILLISECONDS);
      assertThat(third.await(60, TimeUnit.SECONDS)).isTrue();
      repeated.cancel(false);
    }
  }
}
