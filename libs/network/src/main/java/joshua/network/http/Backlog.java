package joshua.network.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the WebSockets of one server together make it hold, in bytes, text counted at two a
 * character: messages that peers don't finish, answers that they don't read. Each is within a bound
 * of its own, and all of them are to leave memory to others (+JN-03).
 */
final class Backlog {
  private static final int PART_OF_THE_HEAP = 8;

  /** The most that may be held. */
  static final long MOST = Runtime.getRuntime().maxMemory() / PART_OF_THE_HEAP;

  private final AtomicLong bytes = new AtomicLong();

  void add(long more) {
    bytes.addAndGet(more);
  }

  void remove(long some) {
    bytes.addAndGet(-some);
  }

  long bytes() {
    return bytes.get();
  }

  boolean isTooLong() {
    return bytes.get() > MOST;
  }
}
