package joshua.ssh.mina;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.ssh.ExitStatus;
import joshua.ssh.VerbHost;
import joshua.ssh.VerbTerminal;
import org.apache.sshd.common.util.threads.NoCloseExecutor;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.jline.reader.EOFError;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;

/** A channel of an SSH connection, which runs one verb, or the shell, on a thread of its own. */
final class VerbChannel extends AbstractCommandSupport {
  private static final AtomicLong COUNT = new AtomicLong();

  /** Not virtual: a shell computes at each key, which would delay other virtual threads. */
  private static final ExecutorService THREADS =
      Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory());

  private final VerbHost host;
  private final Optional<String> line;
  private final AuthorizedKeys.AuthorizedKey key;
  private final Connection connection;

  /** A channel for the command in a line, or for the shell if there is none. */
  VerbChannel(VerbHost host, ChannelSession channel, Optional<String> line) {
    super(line.orElse("shell"), new NoCloseExecutor(THREADS));
    this.host = host;
    this.line = line;
    this.key = Objects.requireNonNull(channel.getSession().getAttribute(SshServers.KEY));
    this.connection =
        new Connection(
            "ssh-%d-%s".formatted(COUNT.incrementAndGet(), key.name()), () -> !channel.isOpen());
  }

  @Override
  public void run() {
    Thread.currentThread().setName(connection.id());
    int status = status();
    connection.close();
    onExit(status);
  }

  /** Called when the client has gone or closes the channel. */
  @Override
  public void destroy(ChannelSession channel) throws Exception {
    connection.close();
    super.destroy(channel);
  }

  private int status() {
    // An administrator has no identity, as on the local socket; others have that of their key.
    Caller caller =
        new Caller(
            key.role() == Role.ADMIN ? Optional.empty() : Optional.of(key.name()),
            key.role(),
            connection);
    PrintStream errors = new PrintStream(getErrorStream(), true, StandardCharsets.UTF_8);
    try {
      Environment environment = getEnvironment();
      if (environment.getEnv().containsKey(Environment.ENV_TERM)) {
        try (Terminal terminal =
            ShellTerminal.open(environment, getInputStream(), getOutputStream())) {
          return line.isPresent()
              ? ShellTerminal.run(terminal, host, words(line.get()), caller, key.name())
              : new VerbShell(terminal, host, caller, key.name()).run();
        }
      }
      if (line.isEmpty()) {
        errors.println("Say what to run, ssh … mad-status for instance, or use a terminal.");
        return ExitStatus.USAGE;
      }
      PrintStream output = new PrintStream(getOutputStream(), false, StandardCharsets.UTF_8);
      int status =
          host.run(
              words(line.get()), caller, new VerbTerminal(output, errors, 0, false, key.name()));
      output.flush();
      return status;
    } catch (EOFError e) {
      errors.println("A quotation mark isn't closed.");
      return ExitStatus.USAGE;
    } catch (IOException e) {
      log.debug("{}: the client has gone", connection.id(), e);
      return ExitStatus.UNAVAILABLE;
    } catch (RuntimeException | Error e) {
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
