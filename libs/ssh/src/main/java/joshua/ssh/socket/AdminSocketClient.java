package joshua.ssh.socket;

import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import joshua.ssh.AdminConsole;
import joshua.ssh.ExitStatus;

/**
 * A client that runs one verb through the admin socket of a MAD. {@link #run} waits on the calling
 * thread; {@link #interrupt}, {@link #resized} and {@link #close} may be called from others.
 */
public final class AdminSocketClient implements AutoCloseable {
  private final Path file;
  private final SocketChannel channel;
  private final OutputStream out;

  private AdminSocketClient(Path file, SocketChannel channel) {
    this.file = file;
    this.channel = channel;
    this.out = Channels.newOutputStream(channel);
  }

  /** Why a verb can't run, or was lost. */
  public enum Cause {
    /** No process serves the socket. */
    NOBODY,
    /** The socket belongs to another user. */
    FORBIDDEN,
    /** The process went away, or violated the protocol. */
    LOST
  }

  /** The MAD isn't there, or no longer. */
  public static final class NoServerException extends Exception {
    private static final long serialVersionUID = 1L;
    private final Cause why;

    NoServerException(Cause why, String sentence, Throwable cause) {
      super(sentence, cause);
      this.why = why;
    }

    NoServerException(Cause why, String sentence) {
      super(sentence);
      this.why = why;
    }

    public Cause why() {
      return why;
    }

    /** What happened, without a full stop, so that a remedy can follow. */
    public String sentence() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * Connects to a MAD.
   *
   * @throws NoServerException if no process serves the socket, or it belongs to another user
   */
  public static AdminSocketClient connect(Path file) throws NoServerException {
    try {
      return new AdminSocketClient(file, SocketChannel.open(UnixDomainSocketAddress.of(file)));
    } catch (IOException e) {
      if (forbidden(file)) {
        throw new NoServerException(Cause.FORBIDDEN, "%s is another user's".formatted(file), e);
      }
      throw new NoServerException(Cause.NOBODY, "nobody serves %s".formatted(file), e);
    }
  }

  private static boolean forbidden(Path file) {
    for (Path part = file.toAbsolutePath(); part != null; part = part.getParent()) {
      if (Files.exists(part)) {
        return Files.isDirectory(part) ? !Files.isExecutable(part) : !Files.isWritable(part);
      }
    }
    return false;
  }

  /** Connects, runs one verb to its end, and disconnects; returns its exit status. */
  public static int run(Path file, List<String> words, AdminConsole adminConsole)
      throws NoServerException {
    try (AdminSocketClient client = connect(file)) {
      return client.run(words, adminConsole);
    }
  }

  /**
   * Runs a verb to its end, or until the console's reader has gone; returns its exit status.
   *
   * @throws NoServerException if the MAD goes away meanwhile, or {@link #close} was called
   */
  public int run(List<String> words, AdminConsole adminConsole) throws NoServerException {
    Optional<ClientMessage.Terminal> terminal =
        adminConsole
            .terminal()
            .map(size -> new ClientMessage.Terminal(size, adminConsole.colours()));
    // A MAD that refuses at once may already have closed; its message can still be read.
    say(new ClientMessage.Request(List.copyOf(words), terminal));
    JsonLines lines = new JsonLines(Channels.newInputStream(channel), ServerMessage.LONGEST);
    try {
      for (var line = lines.next(); line.isPresent(); line = lines.next()) {
        switch (ServerMessage.of(line.get())) {
          case ServerMessage.Out(var text) -> adminConsole.out(text);
          case ServerMessage.Err(var text) -> adminConsole.err(text);
          case ServerMessage.Exit(var number) -> {
            return number;
          }
        }
        if (adminConsole.gone()) {
          return ExitStatus.OK.number();
        }
      }
      throw new NoServerException(
          Cause.LOST, "the process that serves %s went away".formatted(file));
    } catch (IOException e) {
      throw new NoServerException(
          Cause.LOST, "the process that serves %s went away".formatted(file), e);
    } catch (JsonLines.MalformedLineException e) {
      throw new NoServerException(
          Cause.LOST,
          "what serves %s doesn't speak as it must: %s".formatted(file, e.sentence()),
          e);
    }
  }

  /** Asks for the verb to end; its exit status still comes. */
  public void interrupt() {
    say(new ClientMessage.Interrupted());
  }

  /** Reports that the terminal has another size now. */
  public void resized(AdminConsole.Size size) {
    say(new ClientMessage.Resized(size));
  }

  /** One write per line, so that lines of several threads don't mix. */
  private void say(ClientMessage line) {
    try {
      out.write(SocketWriter.line(line.json()));
    } catch (IOException e) {
      // The reader notices and reports it.
      return;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It has already gone, as wanted.
      return;
    }
  }
}
