package joshua.app;

import java.time.Duration;

/**
 * A line on the terminal that shows the progress of something, once it has taken a second; nothing
 * if no person reads it. While the progress is unknown, it shows the time taken. Drawn by a thread
 * of its own.
 */
final class ProgressLine implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration BETWEEN = Duration.ofMillis(250);
  private static final int BAR = 30;
  private static final int PERCENT = 100;

  private final String what;
  private final ProcessEnvironment around;
  private final long begun = System.nanoTime();
  private final Thread drawer;
  private volatile int percent = -1;

  /** Starts; {@link #close} removes the line. */
  ProgressLine(String what, ProcessEnvironment around) {
    this.what = what;
    this.around = around;
    this.drawer = Thread.ofVirtual().name("progress").unstarted(this::draw);
    if (around.terminal()) {
      drawer.start();
    }
  }

  void show(int done, int of) {
    percent = of == 0 ? PERCENT : (int) ((long) done * PERCENT / of);
  }

  private void draw() {
    boolean shown = false;
    try {
      Thread.sleep(PATIENCE);
      while (true) {
        shown = true;
        around.err().print("\r\033[K" + line(what, percent, seconds()));
        around.err().flush();
        Thread.sleep(BETWEEN);
      }
    } catch (InterruptedException e) {
      if (shown) {
        around.err().print("\r\033[K");
        around.err().flush();
      }
    }
  }

  private long seconds() {
    return Duration.ofNanos(System.nanoTime() - begun).toSeconds();
  }

  /** The text shown; with a bar while the progress is known and below 100 percent. */
  static String line(String what, int percent, long seconds) {
    if (percent < 0 || percent >= PERCENT) {
      return "joshua: %s, %d s".formatted(what, seconds);
    }
    int full = percent * BAR / PERCENT;
    return "joshua: %s [%s%s] %d %%, %d s"
        .formatted(what, "#".repeat(full), "-".repeat(BAR - full), percent, seconds);
  }

  @Override
  public void close() {
    drawer.interrupt();
    try {
      drawer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
