package joshua.rogers;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the tap's thread has for the flusher, at most {@value #LIMIT} notes in order, of {@value
 * #COUNTS} counts: days of it, where the database is away. Guarded by {@code lock}, which nobody
 * holds for longer than it takes to add or to take; who adds is never kept waiting for a place.
 */
final class FlushQueue {
  /** Notes that wait: one an hour, and two each time that the bus goes away. */
  static final int LIMIT = 96;

  /** Counts in all notes that wait together. One note alone may have more. */
  static final int COUNTS = 100_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Deque<FlushItem> notes = new ArrayDeque<>();
  private long counts;

  /** Whether there was a place. */
  boolean offer(FlushItem flushItem) {
    lock.lock();
    try {
      if (notes.size() == LIMIT || (!notes.isEmpty() && counts + flushItem.counts() > COUNTS)) {
        return false;
      }
      notes.addLast(flushItem);
      counts += flushItem.counts();
      filled.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return notes.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Everything that waits; waits for something itself, but not longer than so. */
  List<FlushItem> take(Duration most) throws InterruptedException {
    long left = most.toNanos();
    lock.lockInterruptibly();
    try {
      while (notes.isEmpty() && left > 0) {
        left = filled.awaitNanos(left);
      }
      List<FlushItem> all = new ArrayList<>(notes);
      notes.clear();
      counts = 0;
      return all;
    } finally {
      lock.unlock();
    }
  }
}
