package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AnswerTurnsTest {
  private final AnswerTurns turns = new AnswerTurns(1);
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final CountDownLatch latch = new CountDownLatch(1);

  private Thread begin(String caller, String what) {
    Thread thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                turns.inTurn(
                    caller,
                    () -> {
                      awaitLatch();
                      return done.add(what);
                    });
              } catch (InterruptedException e) {
                done.add(what + " interrupted");
              }
            });
    await().until(() -> thread.getState() == Thread.State.WAITING);
    return thread;
  }

  private void awaitLatch() {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whoAsksForManyComesOnceBeforeEachOther() throws Exception {
    List<Thread> threads =
        List.of(
            begin("greedy", "g1"),
            begin("greedy", "g2"),
            begin("greedy", "g3"),
            begin("ann", "a1"),
            begin("bob", "b1"));
    latch.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(done).containsExactly("g1", "a1", "b1", "g2", "g3");
    assertThat(turns.callers()).isZero();
  }

  @Test
  void asManyAreAtItAtOnceAsThereAreTurns() throws Exception {
    AnswerTurns two = new AnswerTurns(2);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 20; i++) {
      String caller = "c-" + i;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  two.inTurn(
                      caller,
                      () -> {
                        most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                        Thread.onSpinWait();
                        return atOnce.decrementAndGet();
                      });
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most.get()).isBetween(1, 2);
  }

  @Test
  void whoIsInterruptedLeavesItsPlace() throws Exception {
    Thread first = begin("ann", "a1");
    Thread gone = begin("ann", "a2");
    Thread other = begin("bob", "b1");
    gone.interrupt();
    gone.join();
    latch.countDown();
    first.join();
    other.join();
    assertThat(done).containsExactly("a2 interrupted", "a1", "b1");
    assertThat(turns.callers()).isZero();
  }
}
