package joshua.ssh.socket;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/** Who is at the other end of a connection, by the name of his account. */
final class PeerAccount {
  private static final String ROOT = "root";

  private PeerAccount() {}

  /** His name; empty where the system doesn't tell, and the file's mode alone decides. */
  static String name(SocketChannel channel) throws IOException {
    return channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)
        ? channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName()
        : "";
  }

  /** Whether he may use a socket of this owner. */
  static boolean mayCome(String peer, String owner) {
    return peer.isEmpty() || peer.equals(owner) || peer.equals(ROOT);
  }
}
