package joshua.app.doctor;

import java.net.Inet6Address;
import java.net.InetAddress;

/** Formats addresses that listeners bind to the way callers write them. */
public final class HostAddresses {
  private HostAddresses() {}

  /** The host part of a URL: the address itself, or loopback if all addresses are bound. */
  public static String reachable(InetAddress bind) {
    boolean six = bind instanceof Inet6Address;
    if (bind.isAnyLocalAddress()) {
      return six ? "[::1]" : "127.0.0.1";
    }
    return six ? "[" + bind.getHostAddress() + "]" : bind.getHostAddress();
  }
}
