package joshua.ssh.socket;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/** The account at the other end of a connection, by name. */
final class PeerAccount {
  private static final String ROOT = "root";

  private PeerAccount() {}

  /**
   * The account's name; empty where the system doesn't report it; then only the file's mode
   * decides.
   */
  static String name(SocketChannel channel) throws IOException {
    return channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)
        ? channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName()
        : "";
  }

  /** Whether the account may use a socket of this owner. */
  static boolean mayCome(String peer, String owner) {
    return peer.isEmpty() || peer.equals(owner) || peer.equals(ROOT);
  }
}
