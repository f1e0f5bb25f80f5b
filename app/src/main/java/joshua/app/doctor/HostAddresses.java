package joshua.app.doctor;

import java.net.Inet6Address;
import java.net.InetAddress;

/** Addresses that listeners bind to, as those who call them write them. */
public final class HostAddresses {
  private HostAddresses() {}

  /** The host part of a URL: the address itself, or loopback where all are bound to. */
  public static String reachable(InetAddress bind) {
    boolean six = bind instanceof Inet6Address;
    if (bind.isAnyLocalAddress()) {
      return six ? "[::1]" : "127.0.0.1";
    }
    return six ? "[" + bind.getHostAddress() + "]" : bind.getHostAddress();
  }
}
