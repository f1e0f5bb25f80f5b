package joshua.network.http;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import joshua.kernel.Pause;
import joshua.network.Caller;
import joshua.network.mcp.McpClient;

/**
 * The sessions of MCP 2025-11-25 and before over HTTP, by {@code Mcp-Session-Id}.
 *
 * <p>A session is a convenience here and no key to anything: who calls is decided anew each time.
 * So an id that isn't known, of before a restart for instance, is taken on as a new session:
 * clients of that era don't start over by themselves. Only an id that was ended by its client, or
 * is somebody else's, is refused. Guarded by {@code lock}.
 */
final class LegacySessions {
  /** The most sessions; the one that wasn't used for longest goes first. */
  static final int MAX_SESSIONS = 10_000;

  private static final int MAX_ENDED = 10_000;
  private static final Pattern ID = Pattern.compile("[!-~]{8,128}");

  private record Session(Optional<String> identity, McpClient client) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<String> ended = new LinkedHashSet<>();
  private final Pause pause;

  LegacySessions(Pause pause) {
    this.pause = pause;
  }

  String newId() {
    return UUID.randomUUID().toString();
  }

  /** The session of that id; empty if it was ended or is another caller's. */
  Optional<McpClient> find(String id, Caller caller) {
    if (!ID.matcher(id).matches()) {
      return Optional.empty();
    }
    List<Session> evicted = List.of();
    Session session;
    lock.lock();
    try {
      if (ended.contains(id)) {
        return Optional.empty();
      }
      session =
          sessions.computeIfAbsent(id, _ -> new Session(caller.identity(), new McpClient(pause)));
      if (sessions.size() > MAX_SESSIONS) {
        String eldest = sessions.keySet().iterator().next();
        evicted = Stream.ofNullable(sessions.remove(eldest)).toList();
      }
    } finally {
      lock.unlock();
    }
    evicted.forEach(one -> one.client().end());
    return session.identity().equals(caller.identity())
        ? Optional.of(session.client())
        : Optional.empty();
  }

  /** Ends the session; false if there is none of that id for this caller. */
  boolean end(String id, Caller caller) {
    Session session;
    lock.lock();
    try {
      session = sessions.get(id);
      if (session == null || !session.identity().equals(caller.identity())) {
        return false;
      }
      sessions.remove(id);
      ended.add(id);
      if (ended.size() > MAX_ENDED) {
        ended.remove(ended.iterator().next());
      }
    } finally {
      lock.unlock();
    }
    session.client().end();
    return true;
  }

  void endAll() {
    List<Session> all;
    lock.lock();
    try {
      all = List.copyOf(sessions.values());
      sessions.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(session -> session.client().end());
  }
}
