package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The watchdog in rounds that the test hands out one by one. */
class ProcessWatchdogTest {
  private static final int PATIENCE = 30;

  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final SynchronousQueue<Duration> rounds = new SynchronousQueue<>();
  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ProcessWatchdog watchdog = new ProcessWatchdog(Runnable::run, Runnable::run);

  private void start() {
    TimedWait timedWait = duration -> nanos.addAndGet(rounds.take().toNanos());
    watchdog.start(
        new ProcessWatchdog.Terms(
            PATIENCE,
            Long.MAX_VALUE,
            new ClockSources(InstantSource.system(), nanos::get, timedWait),
            (reason, cause) -> ends.add(reason)));
  }

  @AfterEach
  void end() {
    over.countDown();
    watchdog.stop();
  }

  private void round(int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      rounds.put(ProcessWatchdog.ROUND);
    }
  }

  private EssentialThread thread(String name, int patience, Runnable body) {
    EssentialThread thread = new EssentialThread(watchdog, name, patience);
    CountDownLatch watched = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            thread.watching(() -> {
              watched.countDown();
              body.run();
            }));
    waitFor(watched);
    return thread;
  }

  private void waitForTheEnd() {
    waitFor(over);
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aThreadWithoutProgressIsToldAndThenEndsTheProcess() throws Exception {
    start();
    thread("reader", 1, this::waitForTheEnd);
    round(PATIENCE / ProcessWatchdog.TOLD_AFTER);
    assertThat(watchdog.problem()).isEmpty();
    round(3);
    assertThat(watchdog.problem()).contains("no progress for 10 s or more by reader");
    assertThat(ends).isEmpty();
    round(PATIENCE);
    assertThat(ends).isNotEmpty().allMatch("no progress for 30 s by reader"::equals);
  }

  @Test
  void oneThatWaitsForTheDiskIsGrantedMore() throws Exception {
    start();
    thread("writer", 4, this::waitForTheEnd);
    round(4 * PATIENCE - 1);
    assertThat(ends).isEmpty();
    round(4);
    assertThat(ends).isNotEmpty();
  }

  @Test
  void aThreadThatMakesProgressIsLeftAlone() throws Exception {
    start();
    EssentialThread reader = thread("reader", 1, this::waitForTheEnd);
    for (int i = 0; i < 3 * PATIENCE; i++) {
      reader.progress();
      round(1);
    }
    assertThat(watchdog.problem()).isEmpty();
    assertThat(ends).isEmpty();
  }

  @Test
  void roundsThatCameLateBlameNobody() throws Exception {
    start();
    thread("reader", 1, this::waitForTheEnd);
    for (int i = 0; i < 3 * PATIENCE; i++) {
      rounds.put(Duration.ofSeconds(5));
    }
    assertThat(ends).isEmpty();
  }

  @Test
  void aThreadThatDiesEndsTheProcessAndOneThatReturnsDoesNot() throws Exception {
    start();
    thread("closed", 1, () -> {});
    round(2);
    assertThat(ends).isEmpty();
    thread(
        "reader",
        1,
        () -> {
          throw new IllegalStateException("what a client has sent");
        });
    await()
        .until(
            () -> ends,
            List.of("the thread reader has died of java.lang.IllegalStateException")::equals);
  }

  @Test
  void anExecutorThatDoesNotAnswerEndsTheProcess() throws Exception {
    start();
    Executor never = task -> {};
    EssentialExecutor closed = watchdog.watch("closed loop", never);
    var _ = watchdog.watch("loop", never);
    closed.close();
    round(PATIENCE + 2 * ProcessWatchdog.PROBED_EVERY);
    assertThat(ends).isNotEmpty().allMatch("no progress for 30 s by loop"::equals);
  }

  @Test
  void anExecutorThatHasEndedEndsTheProcess() throws Exception {
    start();
    var _ =
        watchdog.watch(
            "loop",
            task -> {
              throw new RejectedExecutionException();
            });
    round(ProcessWatchdog.PROBED_EVERY + 1);
    assertThat(ends).contains("loop has ended");
  }

  @Test
  void memoryThatHasRunOutEndsTheProcessHoweverItIsWrapped() {
    watchdog.met(new OutOfMemoryError("before the start"));
    start();
    watchdog.met(new IllegalStateException(new StackOverflowError()));
    assertThat(ends).isEmpty();
    watchdog.met(new IllegalStateException(new OutOfMemoryError("Direct buffer memory")));
    assertThat(ends).containsExactly("java.lang.OutOfMemoryError: Direct buffer memory");
  }

  @Test
  void aFailureThatIsItsOwnCauseIsNoEndlessChain() {
    start();
    Exception one = new Exception();
    Exception other = new Exception(one);
    one.initCause(other);
    watchdog.met(one);
    assertThat(ends).isEmpty();
  }

  @Test
  void oneThreadBeyondItsRoomIsNotWatched() throws Exception {
    start();
    for (int i = 0; i < ProcessWatchdog.MOST_PARTS; i++) {
      var _ = watchdog.watch("loop " + i, Runnable::run);
    }
    var _ = watchdog.watch("one too many", task -> {});
    round(3 * PATIENCE);
    assertThat(ends).isEmpty();
  }

  @Test
  void nothingEndsAfterTheStop() throws Exception {
    start();
    thread("reader", 1, this::waitForTheEnd);
    round(1);
    watchdog.stop();
    watchdog.met(new OutOfMemoryError());
    watchdog.died("reader", new Error());
    assertThat(ends).isEmpty();
    assertThat(watchdog.problem()).isEmpty();
  }
}
