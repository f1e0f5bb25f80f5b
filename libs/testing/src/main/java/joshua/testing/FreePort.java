package joshua.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
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
    int port = FIRST + Math.floorMod(next.getAndIncrement(), LAST - FIRST);
    return isTaken(port) ? next() : port;
  }

  /**
   * Whether somebody listens there. To listen there in his place would keep the port from its
   * server for a moment longer where another thread starts a process, which inherits what is open.
   */
  private static boolean isTaken(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
