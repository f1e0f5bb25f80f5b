package joshua.tasks.worker;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.ResourceSubscription;

/**
 * The listeners for changes of tasks. Thread-safe; listeners must not block. The protocol engine
 * bounds their number per connection.
 */
public final class TaskWatchers {
  /** One listener; with {@code tokens} it is also called for each portion of the text. */
  private record Watcher(Runnable changed, boolean tokens, Object id) {}

  private final Map<UUID, Set<Watcher>> byTask = new ConcurrentHashMap<>();
  private final ChangeNotifier changeNotifier;

  public TaskWatchers(ChangeNotifier changeNotifier) {
    this.changeNotifier = changeNotifier;
  }

  /** Adds a listener for state transitions. */
  ResourceSubscription add(UUID taskId, Runnable changed) {
    return add(taskId, new Watcher(changed, false, new Object()));
  }

  /** Adds a listener for state transitions and stored text. */
  ResourceSubscription follow(UUID taskId, Runnable changed) {
    return add(taskId, new Watcher(changed, true, new Object()));
  }

  private ResourceSubscription add(UUID taskId, Watcher watcher) {
    byTask.compute(
        taskId,
        (id, watchers) -> {
          Set<Watcher> all = watchers == null ? ConcurrentHashMap.newKeySet() : watchers;
          all.add(watcher);
          return all;
        });
    return () -> remove(taskId, watcher);
  }

  private void remove(UUID taskId, Watcher watcher) {
    byTask.computeIfPresent(
        taskId,
        (id, watchers) -> {
          watchers.remove(watcher);
          return watchers.isEmpty() ? null : watchers;
        });
  }

  void changed(UUID taskId) {
    changeNotifier.taskChanged(taskId.toString());
    byTask.getOrDefault(taskId, Set.of()).forEach(watcher -> watcher.changed().run());
  }

  void spoke(UUID taskId) {
    for (Watcher watcher : byTask.getOrDefault(taskId, Set.of())) {
      if (watcher.tokens()) {
        watcher.changed().run();
      }
    }
  }
}
