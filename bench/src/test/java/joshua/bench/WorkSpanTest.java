package joshua.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import joshua.kernel.TimedWait;
import org.junit.jupiter.api.Test;

class WorkSpanTest {
  private static WorkSpan span(int count, Duration time) {
    return new WorkSpan(new WorkLimit(count, time), TimedWait.system());
  }

  private static void work(WorkSpan span, Set<Integer> done) {
    for (OptionalInt next = span.next(); next.isPresent(); next = span.next()) {
      assertThat(done.add(next.getAsInt())).isTrue();
      span.end();
    }
  }

  @Test
  void endsWhenSoManyWereBegunByAllWorkersTogether() throws Exception {
    WorkSpan span = span(1_000, Duration.ofMinutes(1));
    Set<Integer> done = ConcurrentHashMap.newKeySet();
    span.run(4, _ -> work(span, done));
    assertThat(done).hasSize(1_000).contains(0, 999);
    assertThat(span.perSecond()).isPositive();
  }

  @Test
  void endsWhenTimeIsUp() throws Exception {
    WorkSpan span = span(Integer.MAX_VALUE, Duration.ofMillis(50));
    Set<Integer> done = ConcurrentHashMap.newKeySet();
    long began = System.nanoTime();
    span.run(2, _ -> work(span, done));
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isBetween(Duration.ofMillis(50), Duration.ofSeconds(20));
    assertThat(done).isNotEmpty();
  }

  @Test
  void theFirstFaultStopsAllWorkersAndIsWhatIsSaid() {
    WorkSpan span = span(Integer.MAX_VALUE, Duration.ofMinutes(1));
    SpanWorker worker =
        number -> {
          if (number == 0) {
            throw new BenchmarkException("the first fault");
          }
          work(span, ConcurrentHashMap.newKeySet());
          span.fail("a later one");
        };
    assertThatThrownBy(() -> span.run(2, worker))
        .isInstanceOf(BenchmarkException.class)
        .hasMessage("the first fault");
  }

  @Test
  void whatHasNoEndIsAFault() {
    TimedWait impatient = duration -> Thread.onSpinWait();
    WorkSpan span =
        new WorkSpan(new WorkLimit(10, Duration.ofMinutes(1)), Duration.ofMillis(20), impatient);
    SpanWorker worker =
        _ -> {
          span.next();
          span.end();
          span.next();
        };
    assertThatThrownBy(() -> span.run(1, worker))
        .isInstanceOf(BenchmarkException.class)
        .hasMessage("1 of 2 were still without an answer after 0.02 s");
  }

  @Test
  void aPlaceThatIsNeverGivenBackIsAFault() {
    WorkSpan span =
        new WorkSpan(
            new WorkLimit(10, Duration.ofMinutes(1)), Duration.ofMillis(20), TimedWait.system());
    assertThatThrownBy(() -> span.run(1, _ -> span.take(new Semaphore(0))))
        .isInstanceOf(BenchmarkException.class)
        .hasMessage("nothing of what was under way ended within 0.02 s");
  }

  @Test
  void doingNothingIsAFault() {
    WorkSpan span = span(10, Duration.ofMinutes(1));
    assertThatThrownBy(() -> span.run(1, _ -> {})).hasMessage("nothing was done in 60.0 s");
  }
}
