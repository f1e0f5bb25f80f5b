package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import joshua.kernel.TimedWait;
import joshua.network.CallContext;

/**
 * The state of one client: of a WebSocket, or of a legacy session over HTTP. Each stateless HTTP
 * request has a new one, which stays empty. Guarded by {@code lock}; nothing is closed, interrupted
 * or sent under it.
 */
public final class McpClient {
  /** The most resources that one client may watch. */
  static final int MAX_WATCHES = 1_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<JsonNode, Thread> requests = new HashMap<>();
  private final Map<String, ResourceSubscription> watches = new HashMap<>();
  private final Set<NotificationQueue> feeds = new HashSet<>();
  private final NotificationQueue pushes;
  private Optional<ClientCapabilities> capabilities = Optional.empty();
  private CallContext.Level logLevel = CallContext.Level.INFO;
  private boolean ended;
  private boolean stopping;

  public McpClient(TimedWait timedWait) {
    this.pushes = new NotificationQueue(timedWait);
  }

  /** The capabilities from {@code initialize}; empty if that was never seen. */
  Optional<ClientCapabilities> capabilities() {
    lock.lock();
    try {
      return capabilities;
    } finally {
      lock.unlock();
    }
  }

  void initialized(ClientCapabilities declared) {
    lock.lock();
    try {
      capabilities = Optional.of(declared);
    } finally {
      lock.unlock();
    }
  }

  CallContext.Level logLevel() {
    lock.lock();
    try {
      return logLevel;
    } finally {
      lock.unlock();
    }
  }

  void logLevel(CallContext.Level level) {
    lock.lock();
    try {
      logLevel = level;
    } finally {
      lock.unlock();
    }
  }

  /** Records that the thread works on a request; cancellation interrupts it. */
  public void working(JsonNode requestId, Thread thread) {
    lock.lock();
    try {
      requests.put(requestId, thread);
    } finally {
      lock.unlock();
    }
  }

  public void done(JsonNode requestId) {
    lock.lock();
    try {
      requests.remove(requestId);
    } finally {
      lock.unlock();
    }
  }

  /** Interrupts the work on a request, if there is any. */
  void cancel(JsonNode requestId) {
    Thread thread;
    lock.lock();
    try {
      thread = requests.get(requestId);
    } finally {
      lock.unlock();
    }
    if (thread != null) {
      thread.interrupt();
    }
  }

  /**
   * The changes to be pushed to this client outside of any request; bounded by its subscriptions.
   */
  NotificationQueue pushes() {
    return pushes;
  }

  /** Keeps a watch; false if there are too many, or the client has gone, and it isn't kept. */
  boolean keep(String uri, ResourceSubscription watch) {
    ResourceSubscription before;
    lock.lock();
    try {
      if (ended || watches.size() >= MAX_WATCHES) {
        return false;
      }
      before = watches.put(uri, watch);
    } finally {
      lock.unlock();
    }
    if (before != null) {
      before.close();
    }
    return true;
  }

  void drop(String uri) {
    ResourceSubscription watch;
    lock.lock();
    try {
      watch = watches.remove(uri);
    } finally {
      lock.unlock();
    }
    if (watch != null) {
      watch.close();
    }
  }

  /** A listening request runs on that feed; false if it has to end at once. */
  boolean listening(NotificationQueue feed) {
    lock.lock();
    try {
      return !ended && !stopping && feeds.add(feed);
    } finally {
      lock.unlock();
    }
  }

  void notListening(NotificationQueue feed) {
    lock.lock();
    try {
      feeds.remove(feed);
    } finally {
      lock.unlock();
    }
  }

  /** Whether no request is worked on for this client, and no thread listens or pushes. */
  public boolean isIdle() {
    lock.lock();
    try {
      return requests.isEmpty() && feeds.isEmpty() && !pushes.isRunning();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends listening requests regularly, those that are yet to come too, and ends the pushes.
   * Requests that are worked on go on.
   */
  public void endListening() {
    List<NotificationQueue> listening;
    lock.lock();
    try {
      stopping = true;
      listening = List.copyOf(feeds);
    } finally {
      lock.unlock();
    }
    listening.forEach(NotificationQueue::end);
    pushes.end();
  }

  /** The client has gone: closes its watches and interrupts the threads that still work for it. */
  public void end() {
    List<ResourceSubscription> watching;
    List<Thread> working;
    lock.lock();
    try {
      ended = true;
      watching = List.copyOf(watches.values());
      working = List.copyOf(requests.values());
      watches.clear();
      requests.clear();
    } finally {
      lock.unlock();
    }
    pushes.end();
    watching.forEach(ResourceSubscription::close);
    working.forEach(Thread::interrupt);
  }
}
