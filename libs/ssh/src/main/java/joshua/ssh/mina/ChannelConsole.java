package joshua.ssh.mina;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import joshua.ssh.AdminConsole;

/** A verb's console on a channel. On a terminal both streams go to the one output there is. */
final class ChannelConsole implements AdminConsole {
  private final OutputStream out;
  private final OutputStream err;
  private final Supplier<Optional<Size>> terminal;
  private final AtomicBoolean gone;

  /**
   * Wraps both streams.
   *
   * @param gone becomes true once the client no longer reads, detected here or elsewhere
   */
  ChannelConsole(
      OutputStream out, OutputStream err, Supplier<Optional<Size>> terminal, AtomicBoolean gone) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
    this.gone = gone;
  }

  @Override
  public void out(String text) {
    write(out, text);
  }

  @Override
  public void err(String text) {
    write(terminal.get().isPresent() ? out : err, text);
  }

  private void write(OutputStream stream, String text) {
    if (gone.get()) {
      return;
    }
    String lines = terminal.get().isPresent() ? text.replace("\n", "\r\n") : text;
    try {
      stream.write(lines.getBytes(StandardCharsets.UTF_8));
    } catch (InterruptedIOException e) {
      // The thread stays interrupted, which the verb sees.
    } catch (IOException e) {
      gone.set(true);
    }
  }

  @Override
  public boolean gone() {
    return gone.get();
  }

  @Override
  public Optional<Size> terminal() {
    return terminal.get();
  }
}
