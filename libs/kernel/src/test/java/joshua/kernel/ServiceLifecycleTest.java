package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ServiceLifecycleTest {
  private final List<String> closed = new CopyOnWriteArrayList<>();

  private AutoCloseable part(String name) {
    return () -> closed.add(name);
  }

  @Test
  void closesOnceInReverseOrder() {
    ServiceLifecycle running = new ServiceLifecycle();
    running.add("bus", part("bus"));
    running.add("store", part("store"));
    running.add("server", part("server"));
    running.close();
    running.close();
    assertThat(closed).containsExactly("server", "store", "bus");
  }

  @Test
  void halfAStartIsClosed() {
    assertThatThrownBy(
            () -> {
              try (ServiceLifecycle running = new ServiceLifecycle()) {
                running.add("bus", part("bus"));
                throw new IllegalStateException("port in use");
              }
            })
        .hasMessage("port in use");
    assertThat(closed).containsExactly("bus");
  }

  @Test
  void aPartThatFailsToCloseDoesNotKeepTheOthersOpen() {
    ServiceLifecycle running = new ServiceLifecycle();
    running.add("bus", part("bus"));
    running.add(
        "store",
        () -> {
          throw new IllegalStateException("disk full");
        });
    running.close();
    assertThat(closed).containsExactly("bus");
  }

  @Test
  void aPartThatIsAddedAfterTheStopIsClosedAtOnce() {
    ServiceLifecycle running = new ServiceLifecycle();
    running.close();
    assertThatThrownBy(() -> running.add("late", part("late")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("late");
    assertThat(closed).containsExactly("late");
  }

  @Test
  void aPartThatHangsIsInterruptedAndTheOthersStillClose() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    ServiceLifecycle running = new ServiceLifecycle(Duration.ofMillis(50));
    running.add("bus", part("bus"));
    running.add(
        "hanging",
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
        });
    running.close();
    interrupted.await();
    assertThat(closed).containsExactly("bus");
  }
}
