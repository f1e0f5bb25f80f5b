package joshua.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port on loopback that was free a moment ago. */
public final class FreePort {
  private FreePort() {}

  public static int any() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Two consecutive ports, as a range: {@code 40000-40001}. */
  public static String twoInARow() {
    int first = any();
    try (ServerSocket second = new ServerSocket(first + 1, 1, InetAddress.getLoopbackAddress())) {
      return first + "-" + second.getLocalPort();
    } catch (IOException e) {
      // The next port is taken.
      return twoInARow();
    }
  }
}
