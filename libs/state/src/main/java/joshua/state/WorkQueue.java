package joshua.state;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A bounded FIFO queue of jobs for a thread with a connection. Guarded by {@code lock}. */
final class WorkQueue {
  private final int most;
  private final SqliteErrors sqliteErrors;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<DatabaseJob<?>> waiting = new ArrayDeque<>();
  private boolean closed;

  WorkQueue(int most, SqliteErrors sqliteErrors) {
    this.most = most;
    this.sqliteErrors = sqliteErrors;
  }

  /** Queues work and waits for its result. */
  <T> T call(Database.Work<T> work) throws StoreUnavailableException, InterruptedException {
    DatabaseJob<T> databaseJob = new DatabaseJob<>(work);
    put(databaseJob);
    return databaseJob.await();
  }

  private void put(DatabaseJob<?> databaseJob) throws StoreUnavailableException {
    lock.lock();
    try {
      if (closed) {
        throw sqliteErrors.closed();
      }
      if (waiting.size() >= most) {
        throw sqliteErrors.overloaded(most);
      }
      waiting.add(databaseJob);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for jobs and takes at most {@code atMost} of them.
   *
   * @return empty if none came within this time, or the queue has been closed and emptied
   */
  List<DatabaseJob<?>> take(int atMost, Duration within) throws InterruptedException {
    lock.lock();
    try {
      long left = within.toNanos();
      while (waiting.isEmpty() && !closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      List<DatabaseJob<?>> taken = new ArrayList<>();
      while (taken.size() < atMost && !waiting.isEmpty()) {
        DatabaseJob<?> databaseJob = waiting.remove();
        if (databaseJob.take()) {
          taken.add(databaseJob);
        }
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses new work; queued work is still done. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the queue is closed and empty. */
  boolean ended() {
    lock.lock();
    try {
      return closed && waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }
}
