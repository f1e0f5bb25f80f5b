package joshua.ssh.mina;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.ssh.ExitStatus;
import joshua.ssh.VerbHost;
import joshua.ssh.VerbTerminal;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.jline.reader.EOFError;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A channel of an SSH connection, which runs one verb, or the shell, on a thread of its own. */
final class VerbChannel implements Command {
  private static final AtomicLong COUNT = new AtomicLong();
  private static final Logger log = LoggerFactory.getLogger(VerbChannel.class);

  private final VerbHost host;
  private final Optional<String> line;
  private final AuthorizedKeys.AuthorizedKey key;
  private final Connection connection;
  private InputStream in = InputStream.nullInputStream();
  private OutputStream out = OutputStream.nullOutputStream();
  private OutputStream err = OutputStream.nullOutputStream();
  private ExitCallback exit = (_, _, _) -> {};
  private @Nullable Thread thread;

  /**
   * A channel.
   *
   * @param line the command; empty for the shell
   */
  VerbChannel(VerbHost host, ChannelSession channel, Optional<String> line) {
    this.host = host;
    this.line = line;
    this.key = Objects.requireNonNull(channel.getSession().getAttribute(SshServers.KEY));
    this.connection =
        new Connection(
            "ssh-%d-%s".formatted(COUNT.incrementAndGet(), key.name()), () -> !channel.isOpen());
  }

  @Override
  public void setInputStream(InputStream stream) {
    in = stream;
  }

  @Override
  public void setOutputStream(OutputStream stream) {
    out = stream;
  }

  @Override
  public void setErrorStream(OutputStream stream) {
    err = stream;
  }

  @Override
  public void setExitCallback(ExitCallback callback) {
    exit = callback;
  }

  @Override
  public void start(ChannelSession channel, Environment environment) {
    thread =
        Thread.ofVirtual()
            .name(connection.id())
            .start(() -> {
              int status = run(environment);
              connection.close();
              exit.onExit(status);
            });
  }

  /** The client has gone, or wants no more. */
  @Override
  public void destroy(ChannelSession channel) {
    connection.close();
    if (thread != null) {
      thread.interrupt();
    }
  }

  private int run(Environment environment) {
    // An administrator's key is as good as the local socket; others stand for their names.
    Caller caller =
        new Caller(
            key.role() == Role.ADMIN ? Optional.empty() : Optional.of(key.name()),
            key.role(),
            connection);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    try {
      if (environment.getEnv().containsKey(Environment.ENV_TERM)) {
        try (Terminal terminal = ShellTerminal.open(environment, in, out)) {
          return line.isPresent()
              ? ShellTerminal.run(terminal, host, words(line.get()), caller)
              : new VerbShell(terminal, host, caller, key.name()).run();
        }
      }
      if (line.isEmpty()) {
        errors.println("Say what to run, ssh … mad-status for instance, or use a terminal.");
        return ExitStatus.USAGE;
      }
      PrintStream output = new PrintStream(out, false, StandardCharsets.UTF_8);
      int status = host.run(words(line.get()), caller, new VerbTerminal(output, errors, 0));
      output.flush();
      return status;
    } catch (EOFError e) {
      errors.println("A quotation mark isn't closed.");
      return ExitStatus.USAGE;
    } catch (IOException e) {
      log.debug("{}: the client has gone", connection.id(), e);
      return ExitStatus.UNAVAILABLE;
    } catch (RuntimeException e) {
      log.error("{}: the shell failed", connection.id(), e);
      return ExitStatus.INTERNAL;
    }
  }

  /** The words of a line, which may be quoted as in a shell; nothing else is special. */
  private static List<String> words(String line) {
    DefaultParser parser = new DefaultParser();
    parser.setEofOnUnclosedQuote(true);
    return parser.parse(line.strip(), line.strip().length(), ParseContext.ACCEPT_LINE).words();
  }
}
