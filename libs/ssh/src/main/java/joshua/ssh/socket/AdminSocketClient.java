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
 * One verb that is run by the admin socket of a MAD. {@link #run} waits on the calling thread;
 * {@link #interrupt}, {@link #resized} and {@link #close} may come from others.
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

  /** Why a verb can't be run, or was lost. */
  public enum Cause {
    /** No process serves the socket. */
    NOBODY,
    /** It is another user's. */
    FORBIDDEN,
    /** The process went away, or doesn't speak as it must. */
    LOST
  }

  /** The MAD isn't there, or not any more. */
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
   * @throws NoServerException if nobody serves the socket, or it is another user's
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

  /** Connects, runs one verb to its end, and parts; its exit status. */
  public static int run(Path file, List<String> words, AdminConsole adminConsole)
      throws NoServerException {
    try (AdminSocketClient client = connect(file)) {
      return client.run(words, adminConsole);
    }
  }

  /**
   * Runs a verb to its end, or until nobody reads the console any more; its exit status.
   *
   * @throws NoServerException if the MAD goes away meanwhile, or {@link #close} was called
   */
  public int run(List<String> words, AdminConsole adminConsole) throws NoServerException {
    Optional<ClientMessage.Terminal> terminal =
        adminConsole
            .terminal()
            .map(size -> new ClientMessage.Terminal(size, adminConsole.colours()));
    // A MAD that refuses at once may have parted already; what it said can still be read.
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

  /** Wants the verb to end; its exit status still comes. */
  public void interrupt() {
    say(new ClientMessage.Interrupted());
  }

  /** Says that the terminal has another size now. */
  public void resized(AdminConsole.Size size) {
    say(new ClientMessage.Resized(size));
  }

  /** One write a line, so that lines of several threads don't mix. */
  private void say(ClientMessage line) {
    try {
      out.write(SocketWriter.line(line.json()));
    } catch (IOException e) {
      // Who reads finds out, and says so.
      return;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone, which is what was wanted.
      return;
    }
  }
}
