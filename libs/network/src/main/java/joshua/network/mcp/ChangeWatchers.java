package joshua.network.mcp;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The watchers of changes, by the name of what they watch. Safe to use from any thread. The
 * protocol engine bounds their number per connection.
 */
public final class ChangeWatchers {
  private record Watcher(Runnable changed, Object id) {}

  private final Map<String, Set<Watcher>> byName = new ConcurrentHashMap<>();

  /** Runs {@code changed} at each change until the subscription is closed. */
  public ResourceSubscription add(String name, Runnable changed) {
    Watcher watcher = new Watcher(changed, new Object());
    byName.compute(
        name,
        (_, watchers) -> {
          Set<Watcher> all = watchers == null ? ConcurrentHashMap.newKeySet() : watchers;
          all.add(watcher);
          return all;
        });
    return () -> remove(name, watcher);
  }

  private void remove(String name, Watcher watcher) {
    byName.computeIfPresent(
        name,
        (_, watchers) -> {
          watchers.remove(watcher);
          return watchers.isEmpty() ? null : watchers;
        });
  }

  /** The names that are watched. */
  public Set<String> watched() {
    return Set.copyOf(byName.keySet());
  }

  /** Notifies the watchers of that name; their callbacks don't block. */
  public void changed(String name) {
    Set<Watcher> watchers = byName.get(name);
    if (watchers != null) {
      watchers.forEach(watcher -> watcher.changed().run());
    }
  }
}
