package joshua.grace;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import joshua.network.mcp.Subscription;

/**
 * Who wants to hear when something waits for a client (+GR-06). Safe to use from any thread. How
 * many there are is bounded by the protocol engine, a connection at a time.
 */
final class Watchers {
  private record Watcher(Runnable changed, Object id) {}

  private final Map<String, Set<Watcher>> byClient = new ConcurrentHashMap<>();

  Subscription add(String clientId, Runnable changed) {
    Watcher watcher = new Watcher(changed, new Object());
    byClient.compute(
        clientId,
        (id, watchers) -> {
          Set<Watcher> all = watchers == null ? ConcurrentHashMap.newKeySet() : watchers;
          all.add(watcher);
          return all;
        });
    return () -> remove(clientId, watcher);
  }

  private void remove(String clientId, Watcher watcher) {
    byClient.computeIfPresent(
        clientId,
        (id, watchers) -> {
          watchers.remove(watcher);
          return watchers.isEmpty() ? null : watchers;
        });
  }

  /** Tells them; what they do with it doesn't block. */
  void changed(String clientId) {
    Set<Watcher> watchers = byClient.get(clientId);
    if (watchers != null) {
      watchers.forEach(watcher -> watcher.changed().run());
    }
  }
}
