package joshua.grace.queue;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Who is told when something happens in the queue of a client, which needn't be there yet. */
final class QueueWatchers {
  private final Map<String, Set<Runnable>> byClient = new ConcurrentHashMap<>();

  /** Adds one; the result takes it away. */
  Runnable add(String clientId, Runnable watcher) {
    byClient.compute(
        clientId,
        (_, before) -> {
          Set<Runnable> watchers = before == null ? ConcurrentHashMap.newKeySet() : before;
          watchers.add(watcher);
          return watchers;
        });
    return () ->
        byClient.computeIfPresent(
            clientId,
            (_, watchers) -> watchers.remove(watcher) && watchers.isEmpty() ? null : watchers);
  }

  void tell(String clientId) {
    if (!byClient.isEmpty()) {
      byClient.getOrDefault(clientId, Set.of()).forEach(Runnable::run);
    }
  }
}
