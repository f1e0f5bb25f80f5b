package joshua.e2e;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Connections that are kept open, up to a limit: beyond it, each new one makes the oldest close.
 */
final class OpenConnections implements AutoCloseable {
  private final int port;
  private final int most;
  private final Deque<RawWeb> members = new ArrayDeque<>();

  OpenConnections(int port, int most) {
    this.port = port;
    this.most = most;
  }

  /** A new connection. */
  RawWeb join() {
    RawWeb web = RawWeb.to(port);
    members.add(web);
    if (members.size() > most) {
      members.remove().close();
    }
    return web;
  }

  List<RawWeb> members() {
    return List.copyOf(members);
  }

  @Override
  public void close() {
    members.forEach(RawWeb::close);
  }
}
