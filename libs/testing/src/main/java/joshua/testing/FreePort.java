package joshua.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports on loopback. They are below the ephemeral range, so that no outgoing connection takes
 * one before its server starts, and none is given twice.
 */
public final class FreePort {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;

  /** Processes begin at different ports, by their process ids. */
  private static final AtomicInteger next =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 97 % (LAST - FIRST)));

  private FreePort() {}

  public static int next() {
    int port = FIRST + Math.floorMod(next.getAndIncrement(), LAST - FIRST);
    return isTaken(port) ? next() : port;
  }

  /**
   * Whether somebody listens there. Listening there itself could block the port for longer: a
   * process that another thread starts would inherit the socket.
   */
  private static boolean isTaken(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
