package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunningTest {
  private final List<String> closed = new CopyOnWriteArrayList<>();

  private AutoCloseable part(String name) {
    return () -> closed.add(name);
  }

  @Test
  void closesInReverseOrder() {
    Running running = new Running();
    running.add("bus", part("bus"));
    running.add("store", part("store"));
    running.add("server", part("server"));
    running.close();
    assertThat(closed).containsExactly("server", "store", "bus");
  }

  @Test
  void closesOnce() {
    Running running = new Running();
    running.add("bus", part("bus"));
    running.close();
    running.close();
    assertThat(closed).containsExactly("bus");
  }

  @Test
  void halfAStartIsClosed() {
    assertThatThrownBy(
            () -> {
              try (Running running = new Running()) {
                running.add("bus", part("bus"));
                running.add("server", server());
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
    Running running = new Running();
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
    Running running = new Running();
    running.close();
    assertThatThrownBy(() -> running.add("late", part("late")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("late");
    assertThat(closed).containsExactly("late");
  }

  @Test
  void aPartThatHangsIsLeftAfterTheTimeOfAStopAndTheOthersStillClose() {
    CountDownLatch never = new CountDownLatch(1);
    Duration within = Duration.ofSeconds(1);
    Running running = new Running(within);
    running.add(
        "bus",
        () -> {
          // Its close takes a moment.
          boolean _ = never.await(50, TimeUnit.MILLISECONDS);
          closed.add("bus");
        });
    running.add("hanging", never::await);
    long start = System.nanoTime();
    running.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(within, within.plusSeconds(5));
    assertThat(Running.STOP_WITHIN).isLessThan(Duration.ofSeconds(10));
    assertThat(closed).containsExactly("bus");
  }
}
