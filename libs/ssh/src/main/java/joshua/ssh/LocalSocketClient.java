package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import joshua.kernel.Json;

/** Runs a verb of a group that runs on this machine, by its {@link LocalSocket}. */
public final class LocalSocketClient {
  private LocalSocketClient() {}

  /**
   * Runs a verb, and copies what it says.
   *
   * @param columns the width of the terminal; 0 where there is none
   * @return an {@link ExitStatus}
   * @throws IOException where nobody listens at the socket, or the group ended meanwhile
   */
  public static int run(
      Path socket,
      String service,
      List<String> words,
      int columns,
      OutputStream out,
      OutputStream err)
      throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ObjectNode request = Json.object().put("service", service).put("columns", columns);
      words.forEach(request.putArray("words")::add);
      Channels.newOutputStream(channel).write((request + "\n").getBytes(StandardCharsets.UTF_8));
      DataInputStream frames =
          new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
      while (true) {
        byte kind = frames.readByte();
        byte[] content = new byte[frames.readInt()];
        frames.readFully(content);
        if (kind == 'x') {
          return ByteBuffer.wrap(content).getInt();
        }
        OutputStream to = kind == 'o' ? out : err;
        to.write(content);
        to.flush();
      }
    } catch (EOFException e) {
      throw new IOException("The group ended before the command did.", e);
    }
  }
}
