package joshua.network.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import joshua.network.Caller;
import joshua.network.mcp.McpSession;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of clients of before 2026-07-28. Unknown ids are accepted, so sessions survive a
 * restart; an id carries no rights. The least recently used session is removed first.
 */
final class McpSessions {
  static final String HEADER = "Mcp-Session-Id";
  private static final int MAX_ID_LENGTH = 128;
  private static final int MAX_SESSIONS = 10_000;

  private record Key(Optional<String> identity, String id) {}

  private final Map<Key, McpSession> sessions =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, McpSession> eldest) {
              boolean full = size() > MAX_SESSIONS;
              if (full) {
                eldest.getValue().close();
              }
              return full;
            }
          });

  /** The session of an id, created if absent; without an id, one for a single request. */
  McpSession of(Caller caller, @Nullable String id) {
    return id == null || id.length() > MAX_ID_LENGTH
        ? new McpSession()
        : sessions.computeIfAbsent(new Key(caller.identity(), id), _ -> new McpSession(id));
  }

  void forget(Caller caller, String id) {
    McpSession forgotten = sessions.remove(new Key(caller.identity(), id));
    if (forgotten != null) {
      forgotten.close();
    }
  }
}
