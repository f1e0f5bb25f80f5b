package joshua.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A blocking WebSocket of frames: one thread writes to it and one reads. */
final class FrameSocket implements AutoCloseable {
  private static final int LENGTH_OF_2 = 126;
  private static final int LENGTH_OF_8 = 127;

  private final SocketChannel channel;
  private final DataInputStream in;

  FrameSocket(int port) throws IOException {
    channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    Frames.upgrade(channel);
    in = new DataInputStream(new BufferedInputStream(channel.socket().getInputStream()));
  }

  void send(String text) throws IOException {
    ByteBuffer frame = ByteBuffer.wrap(Frames.frame(text));
    while (frame.hasRemaining()) {
      channel.write(frame);
    }
  }

  /** Calls a tool, and returns its answer. */
  String call(String tool, String input) throws IOException {
    send(Frames.call(tool, input));
    String answer = next();
    if (!answer.startsWith("{\"status\":\"success\"")) {
      throw new IOException(answer);
    }
    return answer;
  }

  /** The text of the next frame that has one. */
  String next() throws IOException {
    while (true) {
      boolean isText = in.readUnsignedByte() == Frames.TEXT;
      int length = in.readUnsignedByte();
      if (length == LENGTH_OF_2) {
        length = in.readUnsignedShort();
      } else if (length == LENGTH_OF_8) {
        length = Math.toIntExact(in.readLong());
      }
      byte[] payload = in.readNBytes(length);
      if (isText) {
        return new String(payload, UTF_8);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
