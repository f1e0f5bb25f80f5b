package joshua.ssh;

import java.util.Optional;

/** A console that keeps what is written, readable by any thread; a terminal, or none. */
public final class NotedConsole implements AdminConsole {
  // Written by the thread that runs a verb, and read by the test's.
  @SuppressWarnings("JdkObsolete")
  private final StringBuffer out = new StringBuffer();

  @SuppressWarnings("JdkObsolete")
  private final StringBuffer err = new StringBuffer();

  private final Optional<Size> terminal;
  private final boolean colours;
  private volatile boolean gone;

  private NotedConsole(Optional<Size> terminal, boolean colours) {
    this.terminal = terminal;
    this.colours = colours;
  }

  public static NotedConsole program() {
    return new NotedConsole(Optional.empty(), false);
  }

  public static NotedConsole terminal(int columns, int rows) {
    return new NotedConsole(Optional.of(new Size(columns, rows)), true);
  }

  /** A terminal without colours. */
  public static NotedConsole plainTerminal(int columns, int rows) {
    return new NotedConsole(Optional.of(new Size(columns, rows)), false);
  }

  /** The output so far. */
  public String out() {
    return out.toString();
  }

  /** The remarks so far. */
  public String err() {
    return err.toString();
  }

  /** The client has gone. */
  public void leave() {
    gone = true;
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
