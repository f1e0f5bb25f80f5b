package joshua.network.mcp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The hub through which the parts of a MAD announce changed lists or tasks to listening clients.
 * Announcing never blocks.
 */
public final class ChangeNotifier {
  private record Listener(Set<CatalogChange> wanted, NotificationQueue feed, Object id) {
    private void tell(CatalogChange catalogChange) {
      if (wanted.contains(catalogChange)) {
        feed.tell(catalogChange);
      }
    }
  }

  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

  public void toolsChanged() {
    tell(CatalogChange.Lists.TOOLS);
  }

  public void promptsChanged() {
    tell(CatalogChange.Lists.PROMPTS);
  }

  public void resourcesChanged() {
    tell(CatalogChange.Lists.RESOURCES);
  }

  public void taskChanged(String taskId) {
    tell(new CatalogChange.Task(taskId));
  }

  /** Passes on to {@code feed} what is wanted, until the subscription is closed. */
  ResourceSubscription subscribe(Set<CatalogChange> wanted, NotificationQueue feed) {
    Listener listener = new Listener(Set.copyOf(wanted), feed, new Object());
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  private void tell(CatalogChange catalogChange) {
    listeners.forEach(listener -> listener.tell(catalogChange));
  }
}
