package joshua.kernel;

import java.util.concurrent.Semaphore;

/**
 * Turns for parsing large messages of the bus: a thread that parses one waits until those under way
 * leave enough memory for its tree. Small messages need no turn. Safe to use from any thread.
 */
public final class TreeTurns {
  /** The memory of the trees under way, in bytes: that of one tree of the largest size. */
  static final long LIMIT = TreeCost.MESSAGE_LIMIT;

  /** The memory of all trees under way: those of readers and those of handlers. */
  public static final long ALL = 2 * LIMIT;

  /** Longer texts need a turn. */
  static final int SMALL = 16 * 1024;

  /** For threads that read the bus in this process, and use a tree without waiting for anything. */
  public static final TreeTurns OF_READERS = new TreeTurns(LIMIT);

  /** For threads that handle messages in this process, and may wait for other work meanwhile. */
  public static final TreeTurns OF_HANDLERS = new TreeTurns(LIMIT);

  private static final int UNIT = 1024;
  private static final Turn NONE = () -> {};

  private final Semaphore units;
  private final int most;

  TreeTurns(long bytes) {
    this.most = Math.toIntExact(bytes / UNIT);
    this.units = new Semaphore(most, true);
  }

  /** A turn; it lasts until it is closed, and the tree must not be kept longer. */
  @FunctionalInterface
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits for a turn to parse this message. */
  public Turn take(byte[] utf8) {
    if (utf8.length <= SMALL) {
      return NONE;
    }
    int needed = (int) Math.min(most, TreeCost.of(utf8) / UNIT + 1);
    units.acquireUninterruptibly(needed);
    return () -> units.release(needed);
  }

  /** The free memory, in bytes. */
  long free() {
    return (long) units.availablePermits() * UNIT;
  }
}
