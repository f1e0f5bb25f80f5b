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
 * The resource subscriptions of one client, with the changes that it hasn't been notified of. A
 * client is notified of a resource at most every {@value #PAUSE_MILLIS} ms. Guarded by itself.
 */
final class ResourceSubscriptions {
  private static final int MAX_SUBSCRIPTIONS = 64;
  private static final long PAUSE_MILLIS = 20;

  private final Map<String, Runnable> ends = new HashMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private int listeners;
  private boolean closed;

  /** Subscribes to a resource; false if there is no such one for the caller, or no room. */
  boolean add(String uri, ResourceProvider resources, Caller caller) {
    // Outside the lock, since resources report changes under their own.
    Optional<Runnable> end = resources.watch(uri, caller, () -> change(uri));
    synchronized (this) {
      boolean room = !closed && ends.size() < MAX_SUBSCRIPTIONS;
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

  /** Delivers changes, and retries failures, until this is closed or another delivery begins. */
  synchronized void deliver(Predicate<String> told) throws InterruptedException {
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
