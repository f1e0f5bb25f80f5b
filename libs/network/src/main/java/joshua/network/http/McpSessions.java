package joshua.network.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import joshua.network.Caller;
import joshua.network.mcp.McpSession;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of clients of before 2026-07-28. Any id is taken at any time, since clients keep
 * theirs when a service starts anew, and grants nothing; the one used longest ago is forgotten
 * first.
 */
final class McpSessions {
  static final String HEADER = "Mcp-Session-Id";
  private static final int LONGEST_ID = 128;
  private static final int MOST = 10_000;

  private record Key(Optional<String> identity, String id) {}

  private final Map<Key, McpSession> sessions =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, McpSession> eldest) {
              boolean full = size() > MOST;
              if (full) {
                eldest.getValue().close();
              }
              return full;
            }
          });

  /** The session of that id, from now on if there was none; without an id, one for a moment. */
  McpSession of(Caller caller, @Nullable String id) {
    return id == null || id.length() > LONGEST_ID
        ? new McpSession()
        : sessions.computeIfAbsent(new Key(caller.identity(), id), _ -> new McpSession());
  }

  void forget(Caller caller, String id) {
    McpSession forgotten = sessions.remove(new Key(caller.identity(), id));
    if (forgotten != null) {
      forgotten.close();
    }
  }
}
