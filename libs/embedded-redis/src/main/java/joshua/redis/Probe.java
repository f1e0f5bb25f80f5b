package joshua.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One question to a Redis: are you there, and is this your password? */
final class Probe {
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final String YES = "+OK\r\n+PONG\r\n";

  private Probe() {}

  static boolean answers(int port, Password password) {
    String question =
        "*2\r\n$4\r\nAUTH\r\n$%d\r\n%s\r\n*1\r\n$4\r\nPING\r\n"
            .formatted(password.text().length(), password.text());
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.ofLiteral(EmbeddedRedis.HOST), port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes(YES.length());
      return new String(answer, StandardCharsets.US_ASCII).equals(YES);
    } catch (IOException e) {
      return false;
    }
  }
}
