package joshua.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A probe of a Redis: whether it answers, whether it takes this password, and its version. */
final class RedisProbe {
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final int LONGEST_LINE = 64;

  /** Before HELLO's first four words come the answer to AUTH and the length of the list. */
  private static final int LINES = 10;

  private static final int NAME_LINE = 5;
  private static final int VERSION_LINE = 9;

  private RedisProbe() {}

  static boolean answers(int port, RedisPassword redisPassword) {
    return version(port, redisPassword).isPresent();
  }

  /**
   * Its name and version, {@code redis 7.0.15} for instance; empty unless it takes the password.
   */
  static Optional<String> version(int port, RedisPassword redisPassword) {
    String question =
        "*2\r\n$4\r\nAUTH\r\n$%d\r\n%s\r\n*2\r\n$5\r\nHELLO\r\n$1\r\n2\r\n"
            .formatted(redisPassword.text().length(), redisPassword.text());
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.ofLiteral(EmbeddedRedis.HOST), port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
      List<String> lines = lines(socket.getInputStream());
      return lines.size() == LINES && lines.getFirst().equals("+OK")
          ? Optional.of(lines.get(NAME_LINE) + " " + lines.get(VERSION_LINE))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** As many lines as are needed; fewer if the answer is another one. */
  private static List<String> lines(InputStream in) throws IOException {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    while (lines.size() < LINES && line.length() < LONGEST_LINE) {
      int character = in.read();
      if (character < 0 || line.indexOf("-") == 0) {
        break;
      }
      line.append((char) character);
      if (character == '\n') {
        lines.add(line.toString().strip());
        line.setLength(0);
      }
    }
    return lines;
  }
}
