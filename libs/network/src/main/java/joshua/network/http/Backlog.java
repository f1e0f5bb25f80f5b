package joshua.network.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits to be written to all WebSockets of one server together, in bytes as {@link Outbox}
 * counts them: many peers that don't read, each within its own bound, must not take all memory.
 */
final class Backlog {
  private static final int PART_OF_THE_HEAP = 8;

  /** The most that may wait; beyond it the socket for which most waits is closed. */
  static final long MAX_WAITING = Runtime.getRuntime().maxMemory() / PART_OF_THE_HEAP;

  private final AtomicLong bytes = new AtomicLong();

  void add(long waiting) {
    bytes.addAndGet(waiting);
  }

  void remove(long waiting) {
    bytes.addAndGet(-waiting);
  }

  boolean isTooLong() {
    return bytes.get() > MAX_WAITING;
  }
}
