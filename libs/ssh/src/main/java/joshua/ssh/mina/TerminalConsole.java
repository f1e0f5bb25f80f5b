package joshua.ssh.mina;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import joshua.ssh.AdminConsole;

/**
 * The console of one verb on a user's terminal. Answers and remarks go to the same output. A verb
 * that is stopped while it writes to a slow terminal discards the rest.
 */
final class TerminalConsole implements AdminConsole {
  private final TerminalOutput out;
  private final ShellSession.Terminal terminal;
  private volatile boolean gone;

  TerminalConsole(TerminalOutput out, ShellSession.Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public void out(String text) {
    write(text);
  }

  @Override
  public void err(String text) {
    write(text);
  }

  /** The client no longer reads. */
  void leave() {
    gone = true;
  }

  @Override
  public boolean gone() {
    return gone;
  }

  /** Empty for a terminal that can neither move its cursor nor show colours. */
  @Override
  public Optional<Size> terminal() {
    return PersonTerminal.known(terminal.type()).equals(PersonTerminal.TYPE_DUMB)
        ? Optional.empty()
        : Optional.of(PersonTerminal.bounded(terminal.size()));
  }

  private void write(String text) {
    if (gone) {
      return;
    }
    // A stopped verb's remaining output is written: its thread's interrupt would break the write.
    boolean stopped = Thread.interrupted();
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (InterruptedIOException e) {
      stopped = true;
    } catch (IOException e) {
      gone = true;
    } finally {
      if (stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
