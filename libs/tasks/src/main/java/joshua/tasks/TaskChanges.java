package joshua.tasks;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Wakes those who wait for something new of a task that this process works on. */
final class TaskChanges {
  private final ConcurrentMap<UUID, CompletableFuture<Void>> waited = new ConcurrentHashMap<>();

  /** Completes at the next change after this call. */
  CompletableFuture<Void> next(UUID id) {
    return waited.computeIfAbsent(id, key -> new CompletableFuture<>());
  }

  /** The one who waited for this doesn't any more. */
  void forget(UUID id, CompletableFuture<Void> waiting) {
    waited.remove(id, waiting);
  }

  void changed(UUID id) {
    CompletableFuture<Void> waiting = waited.remove(id);
    if (waiting != null) {
      waiting.complete(null);
    }
  }
}
