package joshua.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A TCP connection on which anything can be sent, including HTTP and WebSocket frames. */
final class RawWeb implements AutoCloseable {
  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int CLOSE = 8;

  private static final int WITHIN_MILLIS = 20_000;
  private static final int FINAL = 0x80;
  private static final int MASKED = 0x80;
  private static final byte[] MASK = {1, 2, 3, 4};
  private static final String DATA = "data:";

  /** A frame that came. */
  record Frame(int opcode, byte[] payload) {
    String text() {
      return new String(payload, UTF_8);
    }

    /** Of a close frame. */
    int code() {
      return (payload[0] & 0xff) << 8 | (payload[1] & 0xff);
    }
  }

  private final Socket socket = new Socket();
  private final DataInputStream in;

  private RawWeb(String from, int port) throws IOException {
    // Small, so that a client that doesn't read is soon noticed.
    socket.setReceiveBufferSize(16 * 1024);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), WITHIN_MILLIS);
    socket.setSoTimeout(WITHIN_MILLIS);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  static RawWeb to(int port) {
    return from("127.0.0.1", port);
  }

  /** From one of the addresses that this machine's loopback has. */
  static RawWeb from(String address, int port) {
    try {
      return new RawWeb(address, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends text as it is; lines end with a line feed here, and with CRLF there. */
  RawWeb say(String text) {
    return write(text.replace("\n", "\r\n").getBytes(UTF_8));
  }

  /** Sends bytes as they are. */
  RawWeb write(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Requests a WebSocket; returns the answer up to the empty line. */
  String upgrade(String path, String host, String... headers) {
    StringBuilder request = new StringBuilder();
    request.append(
        """
        GET %s HTTP/1.1
        Host: %s
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Version: 13
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
        """
            .formatted(path, host));
    for (String header : headers) {
      request.append(header).append('\n');
    }
    say(request.append('\n').toString());
    return head();
  }

  /** Opens a WebSocket for design frames. */
  RawWeb frames() {
    return socket("/ws");
  }

  /** Opens a WebSocket for MCP. */
  RawWeb mcp() {
    return socket("/mcp");
  }

  /** Opens a WebSocket on {@code /ws} or {@code /mcp}, with these headers beside the usual ones. */
  RawWeb socket(String path, String... headers) {
    String answer = upgrade(path, "localhost", headers);
    if (!answer.startsWith("HTTP/1.1 101 ")) {
      throw new AssertionError(answer);
    }
    return this;
  }

  /** The head of an answer, its status line first. */
  String head() {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    try {
      while (!head.toString(UTF_8).endsWith("\r\n\r\n")) {
        head.write(in.readByte());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("after " + head.toString(UTF_8), e);
    }
    return head.toString(UTF_8);
  }

  /**
   * The body of an answer; of one that took long enough to come as a stream of events, the data of
   * the last one, which is the result.
   */
  String body(String head) {
    if (head.contains("text/event-stream")) {
      return chunks()
          .lines()
          .filter(line -> line.startsWith(DATA))
          .reduce("", (_, last) -> last.substring(DATA.length()).strip());
    }
    int length = Integer.parseInt(head.replaceFirst("(?si).*content-length: *(\\d+).*", "$1"));
    try {
      return new String(in.readNBytes(length), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a body to its end without storing it; returns how many bytes it had. */
  int skipBody(String head) {
    if (head.contains("text/event-stream")) {
      return chunks().length();
    }
    int length = Integer.parseInt(head.replaceFirst("(?si).*content-length: *(\\d+).*", "$1"));
    try {
      in.skipNBytes(length);
      return length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rest of an answer that comes in chunks, up to the last one. */
  String chunks() {
    StringBuilder all = new StringBuilder();
    try {
      for (int length = chunkLength(); length > 0; length = chunkLength()) {
        all.append(new String(in.readNBytes(length), UTF_8));
        in.readNBytes(2);
      }
      in.readNBytes(2);
      return all.toString();
    } catch (IOException e) {
      throw new UncheckedIOException("after " + all, e);
    }
  }

  private int chunkLength() throws IOException {
    StringBuilder digits = new StringBuilder();
    for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
      digits.append((char) c);
    }
    return Integer.parseInt(digits.toString().strip(), 16);
  }

  /** Sends a whole text frame, masked as a client has to. */
  RawWeb text(String text) {
    return frame(FINAL | TEXT, text.getBytes(UTF_8), true);
  }

  RawWeb part(int opcode, byte[] payload) {
    return frame(opcode, payload, true);
  }

  /** Sends a frame; {@code first} is its first byte, flags and opcode. */
  RawWeb frame(int first, byte[] payload, boolean masked) {
    return write(encoded(first, payload, masked));
  }

  /** A whole text frame as bytes for {@link #write}, for callers that send it often. */
  static byte[] textFrame(String text) {
    return encoded(FINAL | TEXT, text.getBytes(UTF_8), true);
  }

  private static byte[] encoded(int first, byte[] payload, boolean masked) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(first);
    int mask = masked ? MASKED : 0;
    if (payload.length < 126) {
      frame.write(mask | payload.length);
    } else if (payload.length < 1 << 16) {
      frame.write(mask | 126);
      frame.write(payload.length >> 8);
      frame.write(payload.length);
    } else {
      frame.write(mask | 127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        frame.write((int) ((long) payload.length >> shift));
      }
    }
    if (masked) {
      frame.writeBytes(MASK);
    }
    byte[] body = payload.clone();
    for (int i = 0; masked && i < body.length; i++) {
      body[i] ^= MASK[i % MASK.length];
    }
    frame.writeBytes(body);
    return frame.toByteArray();
  }

  /** The next message, whole, or the frame that closes the socket; pings left out. */
  Frame read() {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    try {
      while (true) {
        int first = in.readUnsignedByte();
        int opcode = first & 0x0f;
        long length = in.readUnsignedByte();
        if (length == 126) {
          length = in.readUnsignedShort();
        } else if (length == 127) {
          length = in.readLong();
        }
        byte[] payload = in.readNBytes(Math.toIntExact(length));
        if (opcode == TEXT || opcode == CONTINUATION) {
          message.writeBytes(payload);
          if ((first & FINAL) != 0) {
            return new Frame(TEXT, message.toByteArray());
          }
        } else if (opcode == CLOSE) {
          return new Frame(opcode, payload);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads to the end; returns whether it came, in whatever way. */
  boolean ends() {
    try {
      byte[] buffer = new byte[64 * 1024];
      while (in.read(buffer) >= 0) {
        // The content doesn't matter.
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
