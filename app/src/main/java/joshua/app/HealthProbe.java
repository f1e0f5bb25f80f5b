package joshua.app;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The health check of the images (+DP-05): a separate program that requests {@code /readyz} from
 * the MAD in the same container, and exits with 0 if that is ready, else with 1.
 *
 * <p>It is started every few seconds, and therefore loads next to nothing: neither the command line
 * nor the settings.
 */
public final class HealthProbe {
  static final int CONNECT_MILLIS = 1_000;
  static final int ANSWER_MILLIS = 3_000;

  /** How much of the answer is read; a page of problems is shorter. */
  static final int MAX_ANSWER = 4_096;

  private static final byte[] REQUEST =
      "GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private HealthProbe() {}

  /**
   * The result of a check.
   *
   * @param sentence one line, which Docker keeps
   */
  record Finding(boolean ready, String sentence) {}

  /**
   * Checks once.
   *
   * @param args the variable that names the port, and the port to use if it isn't set
   */
  public static void main(String[] args) {
    Finding finding = ask(args, System.getenv());
    System.out.println(finding.sentence());
    System.exit(finding.ready() ? 0 : 1);
  }

  static Finding ask(String[] args, Map<String, String> environment) {
    if (args.length != 2) {
      return new Finding(false, "Say the variable that names the port, and the usual port.");
    }
    String set = environment.getOrDefault(args[0], "").strip();
    String port = set.isEmpty() ? args[1] : set;
    try {
      return ask(Integer.parseInt(port));
    } catch (IllegalArgumentException _) {
      return new Finding(false, args[0] + " is no TCP port.");
    }
  }

  private static Finding ask(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(REQUEST);
      return read(socket.getInputStream());
    } catch (IOException e) {
      return new Finding(false, "Nobody answers on port " + port + ": " + e);
    }
  }

  private static Finding read(InputStream stream) throws IOException {
    String answer = new String(stream.readNBytes(MAX_ANSWER), StandardCharsets.UTF_8);
    String page = answer.substring(Math.max(answer.indexOf("\r\n\r\n"), 0)).strip();
    return new Finding(answer.startsWith("HTTP/1.1 200 "), page.replaceAll("[\r\n]+", " "));
  }
}
