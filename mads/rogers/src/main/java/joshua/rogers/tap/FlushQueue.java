package joshua.rogers.tap;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queue from the tap's thread to the flusher: at most {@value #LIMIT} items in order, with
 * {@value #COUNTS} counts; days' worth, while the database is away. Guarded by {@code lock}, which
 * is held only for as long as adding or taking needs; adding never waits for room.
 */
public final class FlushQueue {
  /** Items that wait: one per hour, and two each time that the bus goes away. */
  public static final int LIMIT = 96;

  /** Counts in all waiting items together. A single item may have more. */
  public static final int COUNTS = 100_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Deque<FlushItem> notes = new ArrayDeque<>();
  private long counts;

  /** Whether there was room. */
  public boolean offer(FlushItem flushItem) {
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

  public boolean isEmpty() {
    lock.lock();
    try {
      return notes.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns everything that waits; if nothing does, waits up to {@code most}. */
  public List<FlushItem> take(Duration most) throws InterruptedException {
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
