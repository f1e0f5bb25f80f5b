package joshua.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Another program that uses a port that we would have liked. */
final class PortOccupier {
  private PortOccupier() {}

  /** Takes a port on loopback, unless it is taken already. */
  static void on(TestEnvironment environment, int port) {
    try {
      environment.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
    } catch (IOException e) {
      // Then it is taken as well.
    }
  }
}
