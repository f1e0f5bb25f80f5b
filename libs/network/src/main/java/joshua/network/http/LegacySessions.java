package joshua.network.http;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import joshua.kernel.Pause;
import joshua.network.Caller;
import joshua.network.mcp.McpClient;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of MCP 2025-11-25 and before over HTTP, by {@code Mcp-Session-Id}.
 *
 * <p>A session is a convenience here and no key to anything: who calls is decided anew each time.
 * So a request's id that isn't known, of before a restart for instance, is taken on as a new
 * session: clients of that era don't start over by themselves. Only an id that was ended by its
 * client, or is somebody else's, is refused. Guarded by {@code lock}.
 */
final class LegacySessions {
  /**
   * The most sessions. For one more, the identity that has most of them gives up the one that it
   * hasn't used for longest: who makes many does so at his own expense. One in use stays.
   */
  static final int MAX_SESSIONS = 10_000;

  private static final int MAX_ENDED = 10_000;
  private static final Pattern ID = Pattern.compile("[!-~]{8,128}");

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Owner> owners = new HashMap<>();
  private final Map<Optional<String>, Owner> byIdentity = new HashMap<>();
  private final Set<String> ended = new LinkedHashSet<>();
  private final Pause pause;

  /** An identity with its sessions, the one unused for longest first. */
  private record Owner(Optional<String> identity, Map<String, McpClient> sessions) {
    private Owner(Optional<String> identity) {
      this(identity, new LinkedHashMap<>(16, 0.75f, true));
    }

    private int count() {
      return sessions.size();
    }

    private Optional<String> unusedForLongest() {
      return sessions.entrySet().stream()
          .filter(one -> one.getValue().isIdle())
          .map(Map.Entry::getKey)
          .findFirst();
    }
  }

  LegacySessions(Pause pause) {
    this.pause = pause;
  }

  String newId() {
    return UUID.randomUUID().toString();
  }

  /** Whether the id was ended by its client, is another caller's, or can't be one. */
  boolean refuses(String id, Caller caller) {
    lock.lock();
    try {
      Owner owner = owners.get(id);
      return !ID.matcher(id).matches()
          || ended.contains(id)
          || (owner != null && !owner.identity().equals(caller.identity()));
    } finally {
      lock.unlock();
    }
  }

  /** The caller's session of that id, if there is one. */
  Optional<McpClient> find(String id, Caller caller) {
    lock.lock();
    try {
      Owner owner = owners.get(id);
      return owner == null || !owner.identity().equals(caller.identity())
          ? Optional.empty()
          : Optional.ofNullable(owner.sessions().get(id));
    } finally {
      lock.unlock();
    }
  }

  /**
   * The caller's session of that id, a new one if there is none; empty if the id is refused, or if
   * so many are in use that there is no room.
   */
  Optional<McpClient> takeOn(String id, Caller caller) {
    Optional<McpClient> evicted = Optional.empty();
    McpClient client;
    lock.lock();
    try {
      if (refuses(id, caller)) {
        return Optional.empty();
      }
      Optional<McpClient> known = find(id, caller);
      if (known.isPresent()) {
        return known;
      }
      if (owners.size() >= MAX_SESSIONS) {
        evicted = evicted(caller);
        if (evicted.isEmpty()) {
          return Optional.empty();
        }
      }
      client = new McpClient(pause);
      Owner owner = byIdentity.computeIfAbsent(caller.identity(), Owner::new);
      owner.sessions().put(id, client);
      owners.put(id, owner);
    } finally {
      lock.unlock();
    }
    evicted.ifPresent(McpClient::end);
    return Optional.of(client);
  }

  /** Makes room: at the expense of who has most, else of the caller. */
  private Optional<McpClient> evicted(Caller caller) {
    return byIdentity.values().stream()
        .max(Comparator.comparingInt(Owner::count))
        .flatMap(Owner::unusedForLongest)
        .or(() ->
            Optional.ofNullable(byIdentity.get(caller.identity())).flatMap(Owner::unusedForLongest))
        .map(this::removed);
  }

  private @Nullable McpClient removed(String id) {
    Owner owner = owners.remove(id);
    if (owner == null) {
      return null;
    }
    McpClient client = owner.sessions().remove(id);
    if (owner.sessions().isEmpty()) {
      byIdentity.remove(owner.identity());
    }
    return client;
  }

  /** Ends the session; false if there is none of that id for this caller. */
  boolean end(String id, Caller caller) {
    Optional<McpClient> client;
    lock.lock();
    try {
      client = find(id, caller);
      if (client.isEmpty()) {
        return false;
      }
      removed(id);
      ended.add(id);
      if (ended.size() > MAX_ENDED) {
        ended.remove(ended.iterator().next());
      }
    } finally {
      lock.unlock();
    }
    client.ifPresent(McpClient::end);
    return true;
  }

  /** How many there are. */
  int count() {
    lock.lock();
    try {
      return owners.size();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the streams on which sessions are pushed to; their calls go on. */
  void endPushes() {
    all().forEach(McpClient::endListening);
  }

  /** Ends the sessions and what still works for them. */
  void endAll() {
    List<McpClient> all;
    lock.lock();
    try {
      all = all();
      owners.clear();
      byIdentity.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(McpClient::end);
  }

  private List<McpClient> all() {
    lock.lock();
    try {
      return byIdentity.values().stream()
          .map(owner -> owner.sessions().values())
          .flatMap(Collection::stream)
          .toList();
    } finally {
      lock.unlock();
    }
  }
}
