package joshua.ssh;

import java.util.Optional;

/** A console that keeps what is written; a terminal of the given size, or none. */
final class NotedConsole implements Console {
  private final StringBuilder out = new StringBuilder();
  private final StringBuilder err = new StringBuilder();
  private final Optional<Size> size;
  private boolean gone;

  private NotedConsole(Optional<Size> size) {
    this.size = size;
  }

  static NotedConsole program() {
    return new NotedConsole(Optional.empty());
  }

  static NotedConsole terminal(int columns, int rows) {
    return new NotedConsole(Optional.of(new Size(columns, rows)));
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }

  void leave() {
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
    return size;
  }
}
