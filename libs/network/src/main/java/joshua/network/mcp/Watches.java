package joshua.network.mcp;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import joshua.network.Caller;
import joshua.network.ResourceProvider;

/**
 * The resources that one client watches, and which of them have changed since it was told. However
 * often they change, it is told of each at most every {@value #PAUSE_MILLIS} ms. Guarded by itself.
 */
final class Watches {
  private static final int MOST = 64;
  private static final long PAUSE_MILLIS = 20;

  private final Map<String, Runnable> ends = new HashMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private int listeners;
  private boolean closed;

  /** Watches one more resource; false if there is no such one for the caller. */
  boolean add(String uri, ResourceProvider resources, Caller caller) {
    // Not under the lock: a resource tells of changes under its own.
    Optional<Runnable> end = resources.watch(uri, caller, () -> change(uri));
    synchronized (this) {
      boolean room = !closed && ends.size() < MOST;
      if (end.isPresent() && (!room || ends.putIfAbsent(uri, end.get()) != null)) {
        end.get().run();
      }
      return ends.containsKey(uri);
    }
  }

  synchronized void remove(String uri) {
    changed.remove(uri);
    Optional.ofNullable(ends.remove(uri)).ifPresent(Runnable::run);
  }

  private synchronized void change(String uri) {
    if (changed.add(uri)) {
      notifyAll();
    }
  }

  /** Tells of changes, again where that fails, until this is closed or another is told instead. */
  synchronized void tell(Predicate<String> told) throws InterruptedException {
    int self = ++listeners;
    notifyAll();
    while (!closed && self == listeners) {
      if (changed.isEmpty()) {
        wait();
        continue;
      }
      List.copyOf(changed).stream().filter(told).forEach(changed::remove);
      pause();
    }
  }

  private synchronized void pause() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
    for (long left = end - System.nanoTime(); left > 0 && !closed; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  synchronized void close() {
    closed = true;
    ends.values().forEach(Runnable::run);
    ends.clear();
    notifyAll();
  }
}
