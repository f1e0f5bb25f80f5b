package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestHeadTest extends GroupTest {
  /** What makes a request one for a WebSocket. */
  static final String UPGRADE =
      """
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
      """;

  /** The head of a call by HTTP, but for the length of its body. */
  static final String POST =
      "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";

  private String response(String request, String fields) throws IOException {
    return response(group.gracePort(), request, fields);
  }

  /** The head of the response to a request with these fields, and with {@code Host} besides. */
  static String response(int port, String request, String fields) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return response(socket, request, fields);
    }
  }

  static String response(Socket socket, String request, String fields) throws IOException {
    String head = request + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + fields + "\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    StringBuilder response = new StringBuilder();
    for (int next = 0; next >= 0 && response.indexOf("\r\n\r\n") < 0; ) {
      next = socket.getInputStream().read();
      response.append((char) next);
    }
    return response.toString();
  }

  /** Each takes some hundred bytes of memory, before anybody has shown a token. */
  @Test
  void itsFieldsAreFew() throws Exception {
    assertThat(response("GET /healthz", "a:b\r\n".repeat(99))).startsWith("HTTP/1.1 200 ");
    assertThat(response("GET /healthz", "a:b\r\n".repeat(100))).startsWith("HTTP/1.1 431 ");
  }

  /** Some bytes would inflate to megabytes, which somebody has to read. */
  @Test
  void webSocketsAreNotCompressed() throws Exception {
    String compressed = UPGRADE + "Sec-WebSocket-Extensions: permessage-deflate\r\n";
    assertThat(response("GET /ws", compressed))
        .startsWith("HTTP/1.1 101 ")
        .doesNotContain("permessage-deflate");
  }
}
