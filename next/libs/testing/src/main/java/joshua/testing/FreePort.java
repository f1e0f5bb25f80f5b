package joshua.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports on loopback that nobody listens on. They lie below those that systems give to outgoing
 * connections, so that none of these takes one before its server starts, and none is given twice.
 */
public final class FreePort {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;

  /** Processes begin at different places, since each starts at that of its process id. */
  private static final AtomicInteger next =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 97 % (LAST - FIRST)));

  private FreePort() {}

  public static int next() {
    while (true) {
      int port = FIRST + Math.floorMod(next.getAndIncrement(), LAST - FIRST);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // Somebody listens there.
      }
    }
  }
}
