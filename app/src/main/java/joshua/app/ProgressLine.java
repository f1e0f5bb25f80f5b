package joshua.app;

/** A line on the terminal that tells how far something has come; nothing where no person reads. */
final class ProgressLine {
  private static final int PERCENT = 100;
  private final String what;
  private final Surroundings around;
  private int shown = -1;

  ProgressLine(String what, Surroundings around) {
    this.what = what;
    this.around = around;
  }

  void show(int done, int of) {
    int percent = of == 0 ? PERCENT : (int) ((long) done * PERCENT / of);
    if (around.terminal() && percent > shown) {
      shown = percent;
      around.err().printf("\rjoshua: %s, %d %%", what, percent);
      around.err().flush();
    }
  }

  /** Takes the line away. */
  void end() {
    if (shown >= 0) {
      around.err().print("\r\033[K");
      around.err().flush();
    }
  }
}
