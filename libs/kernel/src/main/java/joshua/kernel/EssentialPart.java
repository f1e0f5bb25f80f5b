package joshua.kernel;

import org.jspecify.annotations.Nullable;

/**
 * A part that the process can't work without, as {@link ProcessWatchdog} sees it. Its counters
 * count rounds of the watchdog and are changed by the watchdog's thread only.
 */
public abstract sealed class EssentialPart permits EssentialThread, EssentialExecutor {
  private final String name;
  private final int patience;
  private volatile int still;

  /**
   * Creates a part.
   *
   * @param patience a multiple of the usual time that it may take
   */
  EssentialPart(String name, int patience) {
    this.name = name;
    this.patience = patience;
  }

  public final String name() {
    return name;
  }

  /** Whether it has made no progress for {@code rounds} times its patience. */
  final boolean isLate(long rounds) {
    return still >= rounds * patience;
  }

  /** Whether it has made progress since the last call, or had nothing to do. */
  abstract boolean hasProgressed();

  /** Why it can't make progress any more; null while it can. */
  abstract @Nullable String death();

  /** Prompts the part to show that it works, if it doesn't do so by itself. */
  void probe() {}

  /** Counts one round of the watchdog. */
  final void countRound() {
    still = hasProgressed() ? 0 : still + 1;
  }
}
