package joshua.kernel;

import org.jspecify.annotations.Nullable;

/**
 * Something that the process is of no use without, as {@link ProcessWatchdog} looks at it. What is
 * counted here is counted in rounds of the watchdog, by its thread alone.
 */
abstract sealed class EssentialPart permits EssentialThread, EssentialExecutor {
  private final String name;
  private final int patience;
  private volatile int still;

  /**
   * Makes one.
   *
   * @param patience how many times as long as usual it may take
   */
  EssentialPart(String name, int patience) {
    this.name = name;
    this.patience = patience;
  }

  public final String name() {
    return name;
  }

  /** Whether it has made no progress for so many rounds, or as often as it has patience. */
  final boolean isLate(long rounds) {
    return still >= rounds * patience;
  }

  /** Whether it has made progress since this was last asked, or nothing was to be done. */
  abstract boolean hasProgressed();

  /** Why it can make no progress any more; null as long as it can. */
  abstract @Nullable String death();

  /** Has it show that it works, if it doesn't by itself. */
  void probe() {}

  /** One round is over. */
  final void countRound() {
    still = hasProgressed() ? 0 : still + 1;
  }
}
