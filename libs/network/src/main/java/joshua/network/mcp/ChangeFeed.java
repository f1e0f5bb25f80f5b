package joshua.network.mcp;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import joshua.kernel.Pause;

/**
 * The changes that one client is still to be told. Telling of a change never blocks; the same
 * change told twice before it is passed on is passed on once, so a feed holds at most what was
 * subscribed to. Guarded by {@code lock}.
 */
final class ChangeFeed {
  /** Changes are passed on at once, and then those of this span together. */
  static final Duration TOGETHER = Duration.ofMillis(20);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Set<Change> changes = new LinkedHashSet<>();
  private final Pause pause;
  private boolean ended;

  ChangeFeed(Pause pause) {
    this.pause = pause;
  }

  void tell(Change change) {
    lock.lock();
    try {
      changes.add(change);
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Passes changes on until the feed is ended. */
  void run(Consumer<Change> listener) throws InterruptedException {
    for (List<Change> next = next(); !next.isEmpty(); next = next()) {
      next.forEach(listener);
      pause.pause(TOGETHER);
    }
  }

  void end() {
    lock.lock();
    try {
      ended = true;
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  private List<Change> next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (changes.isEmpty() && !ended) {
        more.await();
      }
      List<Change> next = ended ? List.of() : List.copyOf(changes);
      changes.clear();
      return next;
    } finally {
      lock.unlock();
    }
  }
}
