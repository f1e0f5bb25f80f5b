package joshua.network.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;

/**
 * A client on a bare TCP socket: for headers that others don't let one set, and for not reading.
 */
final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private byte last;

  RawClient(int port) throws IOException {
    this(port, InetAddress.getLoopbackAddress());
  }

  /** One that comes from this address. */
  RawClient(int port, InetAddress from) throws IOException {
    socket = new Socket();
    socket.bind(new java.net.InetSocketAddress(from, 0));
    socket.setReceiveBufferSize(16 * 1024);
    socket.setSoTimeout(10_000);
    socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    in = new DataInputStream(socket.getInputStream());
  }

  /** Sends a request whose header lines end with \n here; returns the answer's header. */
  String request(String text) throws IOException {
    send(text.replace("\n", "\r\n").getBytes(UTF_8));
    return header();
  }

  /** Sends what isn't a whole request yet; lines as for {@link #request}. */
  void say(String text) throws IOException {
    send(text.replace("\n", "\r\n").getBytes(UTF_8));
  }

  /** Posts a stateless MCP call of a tool. */
  void post(String body, String tool) throws IOException {
    beginPost(body, tool);
    finish();
  }

  /** Posts a stateless MCP tool call, all but the last byte of its body. */
  void beginPost(String body) throws IOException {
    beginPost(body, "whoami");
  }

  private void beginPost(String body, String tool) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    String header =
        """
        POST /mcp HTTP/1.1
        Host: 127.0.0.1
        Content-Type: application/json
        Accept: application/json, text/event-stream
        MCP-Protocol-Version: 2026-07-28
        Mcp-Method: tools/call
        Mcp-Name: %s
        Content-Length: %d

        """
            .formatted(tool, bytes.length);
    send(header.replace("\n", "\r\n").getBytes(UTF_8));
    send(Arrays.copyOf(bytes, bytes.length - 1));
    last = bytes[bytes.length - 1];
  }

  /** Sends the byte that {@link #beginPost} has kept back. */
  void finish() throws IOException {
    send(new byte[] {last});
  }

  /** The next answer's header. */
  String header() throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    while (!header.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      header.write(next);
    }
    return header.toString(ISO_8859_1);
  }

  /** The body that belongs to an answer's header. */
  String body(String header) throws IOException {
    int length = Integer.parseInt(header.replaceFirst("(?si).*content-length: *(\\d+).*", "$1"));
    return new String(in.readNBytes(length), UTF_8);
  }

  String upgrade(String path, String moreHeaders) throws IOException {
    return request(
        """
        GET %s HTTP/1.1
        Host: 127.0.0.1
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Version: 13
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        %s
        """
            .formatted(path, moreHeaders));
  }

  /** A masked text frame, with a mask of zeros. */
  void sendText(String text) throws IOException {
    byte[] payload = text.getBytes(UTF_8);
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(0x81);
    if (payload.length < 126) {
      frame.write(0x80 | payload.length);
    } else {
      frame.write(0x80 | 126);
      frame.write(payload.length >> 8);
      frame.write(payload.length & 0xff);
    }
    frame.write(new byte[4]);
    frame.write(payload);
    send(frame.toByteArray());
  }

  int read() throws IOException {
    return in.read();
  }

  private void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
