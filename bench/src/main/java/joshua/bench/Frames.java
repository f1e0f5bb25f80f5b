package joshua.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.IntFunction;

/** The load of tool calls as frames of a WebSocket. */
final class Frames implements Load.Protocol {
  private static final String UPGRADE =
      """
      GET /ws HTTP/1.1\r
      Host: 127.0.0.1\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      \r
      """;

  private static final int MAX_SHORT_LENGTH = 125;
  private static final int TWO_BYTES = 126;
  static final int TEXT = 0x81;
  private static final int MASKED = 0x80;

  private final IntFunction<byte[]> frames;
  private final byte[] success;

  /** Calls, with the status of a correct answer. */
  Frames(IntFunction<byte[]> frames, String status) {
    this.frames = frames;
    this.success = "{\"status\":\"%s\"".formatted(status).getBytes(UTF_8);
  }

  /** A call of a tool. */
  static String call(String tool, String input) {
    return "{\"tool_name\":\"%s\",\"tool_input\":%s}".formatted(tool, input);
  }

  @Override
  public void open(SocketChannel channel) throws IOException {
    upgrade(channel);
  }

  /** Makes a WebSocket of a connection that has just been opened and blocks. */
  static void upgrade(SocketChannel channel) throws IOException {
    channel.write(ByteBuffer.wrap(UPGRADE.getBytes(UTF_8)));
    ByteBuffer one = ByteBuffer.allocate(1);
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      if (channel.read(one.clear()) < 0) {
        throw new IOException("The server refused a WebSocket: " + head);
      }
      head.append((char) one.get(0));
    }
  }

  @Override
  public byte[] request(int connection) {
    return frames.apply(connection);
  }

  /** A text frame whose mask is zero, so that it stays as it is. */
  static byte[] frame(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    boolean isShort = utf8.length <= MAX_SHORT_LENGTH;
    ByteBuffer frame = ByteBuffer.allocate(utf8.length + (isShort ? 6 : 8)).put((byte) TEXT);
    if (isShort) {
      frame.put((byte) (MASKED | utf8.length));
    } else {
      frame.put((byte) (MASKED | TWO_BYTES)).putShort((short) utf8.length);
    }
    return frame.putInt(0).put(utf8).array();
  }

  @Override
  public int answer(ByteBuffer buffer) throws IOException {
    int start = buffer.position();
    if (buffer.remaining() < 4) {
      return 0;
    }
    int length = buffer.get(start + 1);
    int head = 2;
    if (length == TWO_BYTES) {
      length = buffer.getShort(start + 2) & 0xffff;
      head = 4;
    } else if (length > TWO_BYTES) {
      throw new IOException("An answer of 64 KiB or more came.");
    }
    if (buffer.remaining() < head + length) {
      return 0;
    }
    boolean text = (buffer.get(start) & 0xff) == TEXT;
    if (text
        && buffer.slice(start + head, success.length).mismatch(ByteBuffer.wrap(success)) >= 0) {
      byte[] answer = new byte[length];
      buffer.get(start + head, answer);
      throw new IOException("A call failed: " + new String(answer, UTF_8));
    }
    return head + length;
  }
}
