package joshua.ssh.socket;

import java.util.Optional;
import joshua.ssh.Console;

/** A console that keeps what is written, for threads that wait for it. */
final class TestConsole implements Console {
  private final StringBuffer out = new StringBuffer();
  private final StringBuffer err = new StringBuffer();
  private final Optional<Size> terminal;
  private final boolean colours;
  private volatile boolean gone;

  TestConsole(Optional<Size> terminal, boolean colours) {
    this.terminal = terminal;
    this.colours = colours;
  }

  static TestConsole program() {
    return new TestConsole(Optional.empty(), false);
  }

  void leave() {
    gone = true;
  }

  String written() {
    return out.toString();
  }

  String remarks() {
    return err.toString();
  }

  @Override
  public void out(String text) {
    out.append(text);
  }

  @Override
  public void err(String text) {
    err.append(text);
  }

  @Override
  public boolean gone() {
    return gone;
  }

  @Override
  public Optional<Size> terminal() {
    return terminal;
  }

  @Override
  public boolean colours() {
    return colours;
  }
}
