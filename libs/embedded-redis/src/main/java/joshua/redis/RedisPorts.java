package joshua.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;

/** The ports that a start tries, in turn. */
final class RedisPorts {
  /** How many ports are tried before the start fails. */
  static final int TRIED = 100;

  private static final int LAST = 65_535;

  private RedisPorts() {}

  static IntStream candidates(EmbeddedRedis.Config config) {
    if (config.port() == 0) {
      return IntStream.generate(RedisPorts::anyFree).limit(TRIED);
    }
    int last = config.portIsExplicit() ? config.port() : Math.min(LAST, config.port() + TRIED - 1);
    return IntStream.rangeClosed(config.port(), last);
  }

  static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral(EmbeddedRedis.HOST), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static int anyFree() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("no free TCP port", e);
    }
  }
}
