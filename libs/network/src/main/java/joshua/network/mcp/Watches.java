package joshua.network.mcp;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import joshua.network.Caller;
import joshua.network.ResourceProvider;

/**
 * The resources that one client watches, and which of them have changed since it was told. However
 * often they change, it is told of each at most every {@value #PAUSE_MILLIS} ms.
 */
final class Watches {
  private static final int MOST = 64;
  private static final long PAUSE_MILLIS = 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final Map<String, Runnable> ends = new HashMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private int listeners;
  private boolean closed;

  /** Watches one more resource; false if there is no such one for the caller. */
  boolean add(String uri, ResourceProvider resources, Caller caller) {
    // Not under the lock: a resource tells of changes under its own.
    Optional<Runnable> end = resources.watch(uri, caller, () -> change(uri));
    lock.lock();
    try {
      boolean room = !closed && ends.size() < MOST;
      if (end.isPresent() && (!room || ends.putIfAbsent(uri, end.get()) != null)) {
        end.get().run();
      }
      return ends.containsKey(uri);
    } finally {
      lock.unlock();
    }
  }

  void remove(String uri) {
    lock.lock();
    try {
      changed.remove(uri);
      Optional.ofNullable(ends.remove(uri)).ifPresent(Runnable::run);
    } finally {
      lock.unlock();
    }
  }

  private void change(String uri) {
    lock.lock();
    try {
      if (changed.add(uri)) {
        news.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tells of changes until this is closed or somebody else is told in its place.
   *
   * @param told whether that worked; if not, it is tried again
   */
  void tell(Predicate<String> told) throws InterruptedException {
    lock.lock();
    try {
      int self = ++listeners;
      news.signalAll();
      while (!closed && self == listeners) {
        if (changed.isEmpty()) {
          news.await();
          continue;
        }
        List.copyOf(changed).stream().filter(told).forEach(changed::remove);
        pause();
      }
    } finally {
      lock.unlock();
    }
  }

  private void pause() throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
    while (left > 0 && !closed) {
      left = news.awaitNanos(left);
    }
  }

  /** Ends all watching. */
  void close() {
    lock.lock();
    try {
      closed = true;
      ends.values().forEach(Runnable::run);
      ends.clear();
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
