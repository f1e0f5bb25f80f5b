package joshua.ssh.mina;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import joshua.ssh.AdminCaller;
import joshua.ssh.ExitStatus;
import org.apache.sshd.common.io.IoInputStream;
import org.apache.sshd.common.io.IoOutputStream;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.Signal;
import org.apache.sshd.server.channel.ChannelDataReceiver;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AsyncCommand;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command of one channel, on a thread of its own: the verb in the request; without one, a shell
 * if there is a terminal, otherwise one verb per line of the client's input, as {@code sh} does.
 */
final class ChannelCommand implements AsyncCommand {
  private static final Logger log = LoggerFactory.getLogger(ChannelCommand.class);

  /** The maximum length of a script's line. */
  static final int LINE_BYTES = 256 * 1024;

  private static final int CTRL_C = 3;

  private final ShellServices shellServices;
  private final SshConnection sshConnection;
  private final AdminCaller adminCaller;
  private final Optional<String> line;
  private final ChannelInput input;
  private final AtomicBoolean gone = new AtomicBoolean();
  private @Nullable IoOutputStream out;
  private @Nullable IoOutputStream err;
  private @Nullable ExitCallback exit;
  private @Nullable Environment environment;
  private @Nullable Thread thread;

  /**
   * Receives the client's input.
   *
   * @param line the verb to run; empty for a shell or a script
   */
  ChannelCommand(ShellServices shellServices, ChannelSession channel, Optional<String> line) {
    this.shellServices = shellServices;
    this.sshConnection = SshConnection.of(channel.getSession());
    this.adminCaller = sshConnection.login().orElseThrow().access();
    this.line = line;
    this.input =
        new ChannelInput(channel, () -> sshConnection.active(shellServices.clocks().nanos()));
    channel.setDataReceiver(line.isPresent() ? new Unread() : input);
  }

  /** Discards input, since a verb reads none; on a terminal Ctrl-C stops it. */
  private final class Unread implements ChannelDataReceiver {
    @Override
    public int data(ChannelSession channel, byte[] bytes, int offset, int length) {
      if (ChannelTerminal.size(channel.getEnvironment()).isPresent()) {
        for (int i = offset; i < offset + length; i++) {
          if (bytes[i] == CTRL_C) {
            interrupt();
          }
        }
      }
      return length;
    }

    @Override
    public void close() {
      // A verb ignores the end of input.
    }
  }

  @Override
  public void start(ChannelSession channel, Environment given) {
    environment = given;
    Thread runner =
        Thread.ofVirtual()
            .name("ssh-%s-%s".formatted(shellServices.host().mad(), sshConnection.id()))
            .unstarted(this::run);
    thread = runner;
    if (line.isPresent() || ChannelTerminal.size(given).isEmpty()) {
      given.addSignalListener(
          (from, signal) -> interrupt(), Signal.INT, Signal.TERM, Signal.QUIT, Signal.HUP);
    }
    shellServices.begin(runner);
    runner.start();
  }

  private void interrupt() {
    Thread runner = thread;
    if (runner != null) {
      runner.interrupt();
    }
  }

  private void run() {
    int status = ExitStatus.MISTAKE.number();
    try {
      status = line.isPresent() ? verb(console(), line.get()) : talk();
    } catch (InterruptedException | InterruptedIOException e) {
      status = ExitStatus.INTERRUPTED.number();
    } catch (IOException e) {
      // The client no longer reads.
      status = ExitStatus.INTERRUPTED.number();
    } catch (RuntimeException | Error e) {
      log.error("the session {} of {} failed", sshConnection.id(), adminCaller.name(), e);
    } finally {
      // The interrupt has been handled; the exit status is still to be sent.
      Thread.interrupted();
      if (exit != null) {
        exit.onExit(status);
      }
      shellServices.end(Thread.currentThread());
    }
  }

  private int talk() throws IOException, InterruptedException {
    Environment known = there(environment);
    if (ChannelTerminal.size(known).isEmpty()) {
      return script();
    }
    ChannelTerminal terminal =
        new ChannelTerminal(input, new ChannelOutput(there(out)), known, this::busy);
    return shellServices.shell().run(shellServices.host(), adminCaller, terminal);
  }

  private int script() throws IOException {
    ChannelConsole console = console();
    int status = ExitStatus.OK.number();
    try (InputStream lines = new BufferedInputStream(input)) {
      for (Optional<String> next = next(lines, console);
          next.isPresent();
          next = next(lines, console)) {
        String written = next.get().strip();
        if (written.length() > LINE_BYTES) {
          return ExitStatus.USAGE.number();
        }
        if (!written.isEmpty() && !written.startsWith("#")) {
          status = verb(console, written);
        }
        if (Thread.interrupted() || console.gone()) {
          return ExitStatus.INTERRUPTED.number();
        }
      }
    }
    return status;
  }

  /** The next line; one that is too long is reported and ends the reading. */
  private static Optional<String> next(InputStream lines, ChannelConsole console)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int one = lines.read();
    if (one < 0) {
      return Optional.empty();
    }
    while (one >= 0 && one != '\n') {
      bytes.write(one);
      if (bytes.size() > LINE_BYTES) {
        console.err("joshua: a line of a script has at most %d bytes\n".formatted(LINE_BYTES));
        break;
      }
      one = lines.read();
    }
    return Optional.of(bytes.toString(StandardCharsets.UTF_8));
  }

  private int verb(ChannelConsole console, String written) {
    busy(true);
    try {
      return shellServices.host().run(written, adminCaller, console).number();
    } finally {
      busy(false);
    }
  }

  private void busy(boolean verbRuns) {
    if (verbRuns) {
      sshConnection.begin();
    } else {
      sshConnection.end(shellServices.clocks().nanos());
    }
  }

  private ChannelConsole console() {
    Environment known = there(environment);
    return new ChannelConsole(
        new ChannelOutput(there(out)),
        new ChannelOutput(there(err)),
        () -> ChannelTerminal.size(known),
        gone);
  }

  private static <T> T there(@Nullable T given) {
    if (given == null) {
      throw new IllegalStateException("the channel has been started before it was ready");
    }
    return given;
  }

  @Override
  public void destroy(ChannelSession channel) {
    gone.set(true);
    input.close();
    interrupt();
  }

  @Override
  public void setExitCallback(ExitCallback callback) {
    exit = callback;
  }

  @Override
  public void setIoOutputStream(IoOutputStream stream) {
    out = stream;
  }

  @Override
  public void setIoErrorStream(IoOutputStream stream) {
    err = stream;
  }

  @Override
  public void setIoInputStream(IoInputStream stream) {
    throw new IllegalStateException("the channel has a receiver of its own");
  }

  @Override
  public void setInputStream(InputStream stream) {
    throw new IllegalStateException("the channel has a receiver of its own");
  }

  @Override
  public void setOutputStream(OutputStream stream) {
    throw new IllegalStateException("the channel has streams that tell when all is written");
  }

  @Override
  public void setErrorStream(OutputStream stream) {
    throw new IllegalStateException("the channel has streams that tell when all is written");
  }
}
