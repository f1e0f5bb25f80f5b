package joshua.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import joshua.kernel.TimedWait;

/**
 * A measured span of work: pieces are begun until its limit is reached, and each must end. The
 * first error stops it. For several threads.
 */
final class WorkSpan {
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(1);

  /** How soon a worker that waits for a place sees an error. */
  private static final long PLACE_MILLIS = 100;

  private final WorkLimit limit;
  private final Duration patience;
  private final TimedWait timedWait;
  private final AtomicInteger claims = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicLong lastEnd = new AtomicLong();
  private final AtomicReference<Optional<String>> fault = new AtomicReference<>(Optional.empty());
  private volatile long beganAt;

  WorkSpan(WorkLimit limit, TimedWait timedWait) {
    this(limit, ANSWER_WITHIN, timedWait);
  }

  /**
   * @param patience how long to wait for the end of what is in progress
   */
  WorkSpan(WorkLimit limit, Duration patience, TimedWait timedWait) {
    this.limit = limit;
    this.patience = patience;
    this.timedWait = timedWait;
  }

  /** Starts the clock. */
  void begin() {
    beganAt = System.nanoTime();
    lastEnd.set(beganAt);
  }

  /** The number of the next piece, from 0; empty when no more may be begun. */
  OptionalInt next() {
    if (fault.get().isPresent() || System.nanoTime() - beganAt >= limit.time().toNanos()) {
      return OptionalInt.empty();
    }
    int claim = claims.getAndUpdate(number -> Math.min(number + 1, limit.count()));
    return claim < limit.count() ? OptionalInt.of(claim) : OptionalInt.empty();
  }

  /**
   * Starts, runs this many workers in parallel, and waits until everything that they began has
   * ended.
   *
   * @throws BenchmarkException if anything went wrong, or something doesn't end
   */
  void run(int workers, SpanWorker worker) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    begin();
    for (int i = 0; i < workers; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("bench-worker-" + number)
              .start(() -> work(number, worker)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    awaitEnd();
  }

  private void work(int number, SpanWorker worker) {
    try {
      worker.work(number);
    } catch (BenchmarkException e) {
      fail(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      fail("it was interrupted");
    } catch (RuntimeException e) {
      fail(e.toString());
    }
  }

  /** Waits for one of the places for work in progress. */
  boolean take(Semaphore places) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (fault.get().isEmpty()) {
      if (places.tryAcquire(PLACE_MILLIS, TimeUnit.MILLISECONDS)) {
        return true;
      }
      if (System.nanoTime() > deadline) {
        fail("nothing of what was under way ended within " + seconds(patience));
      }
    }
    return false;
  }

  /** A piece has ended successfully. */
  void end() {
    lastEnd.accumulateAndGet(System.nanoTime(), (one, other) -> one - other > 0 ? one : other);
    ended.incrementAndGet();
  }

  /** Fails the span; the first sentence is kept. */
  void fail(String sentence) {
    fault.compareAndSet(Optional.empty(), Optional.of(sentence));
  }

  private void awaitEnd() throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (fault.get().isEmpty() && ended.get() < claims.get()) {
      if (System.nanoTime() > deadline) {
        fail(
            "%d of %d were still without an answer after %s"
                .formatted(claims.get() - ended.get(), claims.get(), seconds(patience)));
      }
      timedWait.pause(POLL);
    }
    Optional<String> found = fault.get();
    if (found.isPresent()) {
      throw new BenchmarkException(found.get());
    }
    if (ended.get() == 0) {
      throw new BenchmarkException("nothing was done in " + seconds(limit.time()));
    }
  }

  /** How many pieces ended per second, from the start to the last end. */
  double perSecond() {
    return ended.get()
        * (double) TimeUnit.SECONDS.toNanos(1)
        / Math.max(1, lastEnd.get() - beganAt);
  }

  static String seconds(Duration duration) {
    return "%s s".formatted(duration.toMillis() / 1000.0);
  }
}
