package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;

/** The client of a {@link LocalSocket}, which runs verbs of a group on this machine. */
public final class LocalSocketClient {
  private static final long BEGIN_TIMEOUT_SECONDS = 5;

  private LocalSocketClient() {}

  /** Runs a verb for a program, whose name on the bus is {@code admin}. */
  public static int run(
      Path socket,
      String service,
      List<String> words,
      int columns,
      OutputStream out,
      OutputStream err)
      throws IOException {
    PrintStream says = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream complains = new PrintStream(err, true, StandardCharsets.UTF_8);
    return run(socket, service, words, new VerbTerminal(says, complains, columns, false, "admin"));
  }

  /**
   * Runs a verb, and copies its output.
   *
   * @return an {@link ExitStatus}
   * @throws IOException where nobody listens at the socket, the verb doesn't begin within {@value
   *     #BEGIN_TIMEOUT_SECONDS} s, or the group ended meanwhile
   */
  public static int run(Path socket, String service, List<String> words, VerbTerminal terminal)
      throws IOException {
    Thread self = Thread.currentThread();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      var _ =
          begun
              .orTimeout(BEGIN_TIMEOUT_SECONDS, TimeUnit.SECONDS)
              .exceptionally(late -> {
                self.interrupt(); // which closes the channel
                return null;
              });
      channel.connect(UnixDomainSocketAddress.of(socket));
      ObjectNode request = Json.object().put("service", service);
      request.put("columns", terminal.columns()).put("coloured", terminal.coloured());
      request.put("person", terminal.person());
      words.forEach(request.putArray("words")::add);
      Channels.newOutputStream(channel).write((request + "\n").getBytes(StandardCharsets.UTF_8));
      DataInputStream frames =
          new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
      while (true) {
        byte kind = frames.readByte();
        begun.complete(null);
        byte[] content = new byte[frames.readInt()];
        frames.readFully(content);
        if (kind == 'x') {
          return ByteBuffer.wrap(content).getInt();
        }
        PrintStream to = kind == 'o' ? terminal.out() : terminal.err();
        to.write(content);
        to.flush();
      }
    } catch (ClosedByInterruptException e) {
      var _ = Thread.interrupted();
      throw new IOException(
          "it didn't begin the command within %d s. Its log may say why; try again, or end it with ./joshua stop."
              .formatted(BEGIN_TIMEOUT_SECONDS),
          e);
    } catch (EOFException e) {
      throw new IOException("The group ended before the command did.", e);
    }
  }
}
