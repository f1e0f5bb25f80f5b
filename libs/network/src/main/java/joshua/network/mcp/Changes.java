package joshua.network.mcp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the parts of a MAD tell that lists or tasks have changed, for the clients that listen.
 * Telling never blocks.
 */
public final class Changes {
  private record Listener(Set<Change> wanted, ChangeFeed feed, Object id) {
    private void tell(Change change) {
      if (wanted.contains(change)) {
        feed.tell(change);
      }
    }
  }

  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

  public void toolsChanged() {
    tell(Change.Lists.TOOLS);
  }

  public void promptsChanged() {
    tell(Change.Lists.PROMPTS);
  }

  public void resourcesChanged() {
    tell(Change.Lists.RESOURCES);
  }

  public void taskChanged(String taskId) {
    tell(new Change.Task(taskId));
  }

  /** Passes on to {@code feed} what is wanted, until the subscription is closed. */
  Subscription subscribe(Set<Change> wanted, ChangeFeed feed) {
    Listener listener = new Listener(Set.copyOf(wanted), feed, new Object());
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  private void tell(Change change) {
    listeners.forEach(listener -> listener.tell(change));
  }
}
