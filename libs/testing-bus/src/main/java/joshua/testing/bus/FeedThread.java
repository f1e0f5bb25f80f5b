package joshua.testing.bus;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that passes the events of one connection to its feed, in order, and the queue before
 * it. The queue holds a limited number of bytes of messages; a marker takes the place of those that
 * didn't fit. All other events always fit. Guarded by {@code lock}.
 */
final class FeedThread<F> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FeedThread.class);
  private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

  /** What happens at the place of dropped messages. */
  interface Overflow<F> {
    void pass(F feed, long dropped, Instant since);
  }

  private sealed interface Event<F> {
    record Step<F>(Consumer<F> step, long bytes) implements Event<F> {}

    final class Dropped<F> implements Event<F> {
      private final Instant since;
      private long count = 1;

      Dropped(Instant since) {
        this.since = since;
      }
    }
  }

  private final F feed;
  private final long byteLimit;
  private final InstantSource time;
  private final Overflow<F> overflow;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Deque<Event<F>> events = new ArrayDeque<>();
  private final Thread thread;
  private long bytes;

  FeedThread(String name, F feed, long byteLimit, InstantSource time, Overflow<F> overflow) {
    this.feed = feed;
    this.byteLimit = byteLimit;
    this.time = time;
    this.overflow = overflow;
    this.thread = Thread.ofVirtual().name(name).start(this::run);
  }

  void add(Consumer<F> step) {
    add(step, 0);
  }

  /** Adds a message of {@code size} bytes, or marks the place where it is missing. */
  void add(Consumer<F> step, long size) {
    lock.lock();
    try {
      if (size == 0 || bytes == 0 || bytes + size <= byteLimit) {
        bytes += size;
        events.addLast(new Event.Step<>(step, size));
      } else if (events.peekLast() instanceof Event.Dropped<F> last) {
        last.count++;
      } else {
        events.addLast(new Event.Dropped<>(time.instant()));
      }
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (true) {
        pass(take());
      }
    } catch (InterruptedException e) {
      log.debug("{} has ended", thread.getName());
    }
  }

  private Event<F> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (events.isEmpty()) {
        filled.await();
      }
      Event<F> first = events.removeFirst();
      bytes -= first instanceof Event.Step<F> step ? step.bytes() : 0;
      return first;
    } finally {
      lock.unlock();
    }
  }

  private void pass(Event<F> event) {
    try {
      switch (event) {
        case Event.Step<F>(Consumer<F> step, long _) -> step.accept(feed);
        case Event.Dropped<F> dropped -> overflow.pass(feed, dropped.count, dropped.since);
      }
    } catch (RuntimeException | Error e) {
      log.error("something failed on what came from the bus; the reader goes on", e);
    }
  }

  /** Ends the thread; what it hasn't passed on is dropped. */
  @Override
  public void close() {
    thread.interrupt();
    if (thread.equals(Thread.currentThread())) {
      return;
    }
    try {
      thread.join(CLOSE_WITHIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
