package joshua.network.http;

import java.time.Duration;
import java.util.ArrayList;
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
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import joshua.kernel.TimedWait;
import joshua.network.Caller;
import joshua.network.mcp.McpClient;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of MCP 2025-11-25 and before over HTTP, by {@code Mcp-Session-Id}.
 *
 * <p>A session is a convenience and grants nothing: the caller is authenticated each time. So an
 * unknown id, from before a restart for instance, is adopted as a new session: clients of that era
 * don't start over by themselves. Only an id that its client has ended, or that belongs to another
 * caller, is refused. So a session that was unused for {@link #UNUSED} is forgotten: an agent that
 * thinks for longer finds its session again, without what it had set. Guarded by {@code lock}.
 */
final class LegacySessions {
  /**
   * The maximum number of sessions. Beyond it, the identity that has most of them loses its least
   * recently used one: an identity that makes many does so at its own expense. Sessions in use
   * stay.
   */
  static final int MAX_SESSIONS = 10_000;

  /**
   * The maximum number of sessions of one identity; beyond it, that identity loses its own. Callers
   * without an identity, where there are no tokens, share {@link #MAX_SESSIONS}.
   */
  static final int MAX_OF_A_CALLER = 1_000;

  /** How long an unused session is kept. */
  static final Duration UNUSED = Duration.ofHours(24);

  private static final Duration LOOK_EVERY = Duration.ofMinutes(1);
  private static final int MAX_ENDED = 10_000;
  private static final Pattern ID = Pattern.compile("[!-~]{8,128}");

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Owner> owners = new HashMap<>();
  private final Map<Optional<String>, Owner> byIdentity = new HashMap<>();
  private final Set<String> ended = new LinkedHashSet<>();
  private final TimedWait timedWait;
  private final LongSupplier nanoTime;
  private long lookedAt;

  /** A session, and when it was used last by the nano clock. */
  private static final class Session {
    private final McpClient client;
    private long usedAt;

    private Session(McpClient client, long now) {
      this.client = client;
      this.usedAt = now;
    }

    private boolean isUnused(long now) {
      return now - usedAt >= UNUSED.toNanos() && client.isIdle();
    }
  }

  /** An identity with its sessions, the one unused for longest first. */
  private record Owner(Optional<String> identity, Map<String, Session> sessions) {
    private Owner(Optional<String> identity) {
      this(identity, new LinkedHashMap<>(16, 0.75f, true));
    }

    private int count() {
      return sessions.size();
    }

    private Optional<String> unusedForLongest() {
      return sessions.entrySet().stream()
          .filter(one -> one.getValue().client.isIdle())
          .map(Map.Entry::getKey)
          .findFirst();
    }
  }

  /**
   * Creates it without sessions.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  LegacySessions(TimedWait timedWait, LongSupplier nanoTime) {
    this.timedWait = timedWait;
    this.nanoTime = nanoTime;
    this.lookedAt = nanoTime.getAsLong();
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
      if (owner == null || !owner.identity().equals(caller.identity())) {
        return Optional.empty();
      }
      Optional<Session> session = Optional.ofNullable(owner.sessions().get(id));
      session.ifPresent(found -> found.usedAt = nanoTime.getAsLong());
      return session.map(found -> found.client);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The caller's session of that id, a new one if there is none; empty if the id is refused, or if
   * so many are in use that there is no room.
   */
  Optional<McpClient> takeOn(String id, Caller caller) {
    List<McpClient> forgotten = new ArrayList<>();
    try {
      return takeOn(id, caller, forgotten);
    } finally {
      forgotten.forEach(McpClient::end);
    }
  }

  private Optional<McpClient> takeOn(String id, Caller caller, List<McpClient> forgotten) {
    lock.lock();
    try {
      if (refuses(id, caller)) {
        return Optional.empty();
      }
      forgetUnused(forgotten);
      Optional<McpClient> known = find(id, caller);
      if (known.isPresent()) {
        return known;
      }
      if (isFull(caller)) {
        Optional<McpClient> evicted = ownEvicted(caller);
        if (evicted.isEmpty()) {
          return Optional.empty();
        }
        evicted.ifPresent(forgotten::add);
      } else if (owners.size() >= MAX_SESSIONS) {
        Optional<McpClient> evicted = evicted(caller);
        if (evicted.isEmpty()) {
          return Optional.empty();
        }
        evicted.ifPresent(forgotten::add);
      }
      McpClient client = new McpClient(timedWait);
      Owner owner = byIdentity.computeIfAbsent(caller.identity(), Owner::new);
      owner.sessions().put(id, new Session(client, nanoTime.getAsLong()));
      owners.put(id, owner);
      return Optional.of(client);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets those that were unused too long; each owner has these first. */
  private void forgetUnused(List<McpClient> forgotten) {
    long now = nanoTime.getAsLong();
    if (now - lookedAt < LOOK_EVERY.toNanos()) {
      return;
    }
    lookedAt = now;
    List<String> unused = new ArrayList<>();
    for (Owner owner : byIdentity.values()) {
      for (Map.Entry<String, Session> one : owner.sessions().entrySet()) {
        if (now - one.getValue().usedAt < UNUSED.toNanos()) {
          break;
        }
        if (one.getValue().isUnused(now)) {
          unused.add(one.getKey());
        }
      }
    }
    unused.forEach(id -> Optional.ofNullable(removed(id)).ifPresent(forgotten::add));
  }

  private boolean isFull(Caller caller) {
    Owner owner = byIdentity.get(caller.identity());
    return caller.identity().isPresent() && owner != null && owner.count() >= MAX_OF_A_CALLER;
  }

  private Optional<McpClient> ownEvicted(Caller caller) {
    return Optional.ofNullable(byIdentity.get(caller.identity()))
        .flatMap(Owner::unusedForLongest)
        .map(this::removed);
  }

  /** Makes room: at the expense of the identity with most sessions, else of the caller. */
  private Optional<McpClient> evicted(Caller caller) {
    return byIdentity.values().stream()
        .max(Comparator.comparingInt(Owner::count))
        .flatMap(Owner::unusedForLongest)
        .map(this::removed)
        .or(() -> ownEvicted(caller));
  }

  private @Nullable McpClient removed(String id) {
    Owner owner = owners.remove(id);
    if (owner == null) {
      return null;
    }
    Session session = owner.sessions().remove(id);
    if (owner.sessions().isEmpty()) {
      byIdentity.remove(owner.identity());
    }
    return session == null ? null : session.client;
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
          .map(session -> session.client)
          .toList();
    } finally {
      lock.unlock();
    }
  }
}
