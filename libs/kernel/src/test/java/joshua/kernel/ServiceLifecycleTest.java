package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServiceLifecycleTest {
  private final List<String> closed = new CopyOnWriteArrayList<>();

  private AutoCloseable part(String name) {
    return () -> closed.add(name);
  }

  @Test
  void closesInReverseOrder() {
    ServiceLifecycle serviceLifecycle = new ServiceLifecycle();
    serviceLifecycle.add("bus", part("bus"));
    serviceLifecycle.add("store", part("store"));
    serviceLifecycle.add("server", part("server"));
    serviceLifecycle.close();
    assertThat(closed).containsExactly("server", "store", "bus");
  }

  @Test
  void closesOnce() {
    ServiceLifecycle serviceLifecycle = new ServiceLifecycle();
    serviceLifecycle.add("bus", part("bus"));
    serviceLifecycle.close();
    serviceLifecycle.close();
    assertThat(closed).containsExactly("bus");
  }

  @Test
  void halfAStartIsClosed() {
    assertThatThrownBy(
            () -> {
              try (ServiceLifecycle serviceLifecycle = new ServiceLifecycle()) {
                serviceLifecycle.add("bus", part("bus"));
                serviceLifecycle.add("server", server());
              }
            })
        .hasMessage("port in use");
    assertThat(closed).containsExactly("bus");
  }

  private static AutoCloseable server() {
    throw new IllegalStateException("port in use");
  }

  @Test
  void aPartThatFailsToCloseDoesNotKeepTheOthersOpen() {
    ServiceLifecycle serviceLifecycle = new ServiceLifecycle();
    serviceLifecycle.add("bus", part("bus"));
    serviceLifecycle.add(
        "store",
        () -> {
          throw new IllegalStateException("disk full");
        });
    serviceLifecycle.close();
    assertThat(closed).containsExactly("bus");
  }

  @Test
  void aPartThatIsAddedAfterTheStopIsClosedAtOnce() {
    ServiceLifecycle serviceLifecycle = new ServiceLifecycle();
    serviceLifecycle.close();
    assertThatThrownBy(() -> serviceLifecycle.add("late", part("late")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("late");
    assertThat(closed).containsExactly("late");
  }

  @Test
  void aPartThatHangsIsLeftAfterTheTimeOfAStopAndTheOthersStillClose() {
    CountDownLatch never = new CountDownLatch(1);
    Duration within = Duration.ofSeconds(1);
    ServiceLifecycle serviceLifecycle = new ServiceLifecycle(within);
    serviceLifecycle.add(
        "bus",
        () -> {
          // Its close takes a moment.
          boolean _ = never.await(50, TimeUnit.MILLISECONDS);
          closed.add("bus");
        });
    serviceLifecycle.add("hanging", never::await);
    long start = System.nanoTime();
    serviceLifecycle.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(within, within.plusSeconds(5));
    assertThat(ServiceLifecycle.STOP_WITHIN).isLessThan(Duration.ofSeconds(10));
    assertThat(closed).containsExactly("bus");
  }
}
