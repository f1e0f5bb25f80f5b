package joshua.network.mcp;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import joshua.kernel.TimedWait;

/**
 * The queue of changes that one client hasn't been notified of yet. Adding a change never blocks;
 * the same change added twice before it is passed on is passed on once, so a queue holds at most
 * what was subscribed to. One thread at a time passes changes on. Guarded by {@code lock}.
 */
final class NotificationQueue {
  /** A change is passed on at once, and those of the next such span together. */
  static final Duration TOGETHER = Duration.ofMillis(20);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Set<CatalogChange> changes = new LinkedHashSet<>();
  private final TimedWait timedWait;
  private long lastRun;
  private boolean running;
  private boolean ended;

  NotificationQueue(TimedWait timedWait) {
    this.timedWait = timedWait;
  }

  void tell(CatalogChange catalogChange) {
    lock.lock();
    try {
      changes.add(catalogChange);
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Passes changes on until the queue is ended, or until another thread runs this: remaining
   * changes are left to that thread.
   */
  void run(Consumer<CatalogChange> listener) throws InterruptedException {
    long run = takeOver();
    try {
      for (List<CatalogChange> next = next(run); !next.isEmpty(); next = next(run)) {
        next.forEach(listener);
        timedWait.pause(TOGETHER);
      }
    } finally {
      leave(run);
    }
  }

  /** Whether a thread passes changes on. */
  boolean isRunning() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  void end() {
    lock.lock();
    try {
      ended = true;
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private long takeOver() {
    lock.lock();
    try {
      running = true;
      lastRun++;
      more.signalAll();
      return lastRun;
    } finally {
      lock.unlock();
    }
  }

  private void leave(long run) {
    lock.lock();
    try {
      running = running && run != lastRun;
    } finally {
      lock.unlock();
    }
  }

  /** Nothing once it is over for this run. */
  private List<CatalogChange> next(long run) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (changes.isEmpty() && !ended && run == lastRun) {
        more.await();
      }
      if (ended || run != lastRun) {
        return List.of();
      }
      List<CatalogChange> next = List.copyOf(changes);
      changes.clear();
      return next;
    } finally {
      lock.unlock();
    }
  }
}
