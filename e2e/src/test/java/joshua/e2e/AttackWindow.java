package joshua.e2e;

import java.time.Duration;
import joshua.kernel.TimedWait;

/**
 * The time that an attack has, and the fraction of its full size.
 *
 * @param endNanos by {@link System#nanoTime}
 * @param scale 1 for the sizes that an attack is described with, less for a short run
 */
record AttackWindow(long endNanos, double scale) {

  static AttackWindow of(Duration length, double scale) {
    return new AttackWindow(System.nanoTime() + length.toNanos(), scale);
  }

  boolean open() {
    return remaining().isPositive();
  }

  Duration remaining() {
    return Duration.ofNanos(endNanos - System.nanoTime());
  }

  /** A fraction of the full number, at least one. */
  int scaled(int full) {
    return Math.max(1, (int) (full * scale));
  }

  /** Waits, but not beyond the end. */
  void pause(Duration wanted) throws InterruptedException {
    Duration left = remaining();
    if (left.isPositive()) {
      TimedWait.system().pause(wanted.compareTo(left) < 0 ? wanted : left);
    }
  }
}
