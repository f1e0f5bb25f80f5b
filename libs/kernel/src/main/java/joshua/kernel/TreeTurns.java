package joshua.kernel;

import java.util.concurrent.Semaphore;

/**
 * Turns at large messages of the bus: whoever parses one waits until those under way leave memory
 * for its tree. Small messages need no turn. Safe to use from any thread.
 */
public final class TreeTurns {
  /** The memory of the trees under way, in bytes: one of the largest. */
  static final long LIMIT = TreeCost.MESSAGE_LIMIT;

  /** The memory of all trees under way: those of readers, and those of handlers. */
  public static final long ALL = 2 * LIMIT;

  /** A longer text needs a turn. */
  static final int SMALL = 16 * 1024;

  /**
   * For who reads the bus in this process, and is done with a tree without waiting for anything.
   */
  public static final TreeTurns OF_READERS = new TreeTurns(LIMIT);

  /** For who handles messages in this process, and may wait for others meanwhile. */
  public static final TreeTurns OF_HANDLERS = new TreeTurns(LIMIT);

  private static final int UNIT = 1024;
  private static final Turn NONE = () -> {};

  private final Semaphore units;
  private final int most;

  TreeTurns(long bytes) {
    this.most = Math.toIntExact(bytes / UNIT);
    this.units = new Semaphore(most, true);
  }

  /** Lasts until it is closed; the tree isn't kept for longer. */
  @FunctionalInterface
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits for a turn at a message that is about to be parsed. */
  public Turn take(byte[] utf8) {
    if (utf8.length <= SMALL) {
      return NONE;
    }
    int needed = (int) Math.min(most, TreeCost.of(utf8) / UNIT + 1);
    units.acquireUninterruptibly(needed);
    return () -> units.release(needed);
  }

  /** What is free, in bytes. */
  long free() {
    return (long) units.availablePermits() * UNIT;
  }
}
