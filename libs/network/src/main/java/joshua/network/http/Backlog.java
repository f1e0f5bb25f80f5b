package joshua.network.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What many peers together make a server hold, in bytes, text counted at two a character: messages
 * that they don't finish, answers that they don't read. Each is within a bound of its own, and all
 * of them are to leave memory to others (+JN-03).
 */
final class Backlog {
  private static final int PART_OF_THE_HEAP = 8;

  /** The most that may be held. */
  static final long MOST = Runtime.getRuntime().maxMemory() / PART_OF_THE_HEAP;

  private final AtomicLong bytes = new AtomicLong();

  void add(long more) {
    bytes.addAndGet(more);
  }

  /** Adds if that leaves it within {@link #MOST}; whoever did removes it again. */
  boolean addIfThereIsRoom(long more) {
    if (bytes.addAndGet(more) <= MOST) {
      return true;
    }
    remove(more);
    return false;
  }

  void remove(long some) {
    bytes.addAndGet(-some);
  }

  boolean isTooLong() {
    return bytes.get() > MOST;
  }
}
