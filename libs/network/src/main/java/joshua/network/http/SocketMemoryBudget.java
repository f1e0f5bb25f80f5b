package joshua.network.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.HeapPlan;
import joshua.kernel.HeapShare;

/**
 * The budget of memory that clients of all listeners together make the process hold, in bytes, text
 * counted at two a character: unfinished messages of WebSocket peers, messages that they don't
 * read, and those that readers of HTTP responses don't. Each has a bound of its own, and all of
 * them together leave memory to other uses (+JN-03).
 */
final class SocketMemoryBudget {
  /** Of the heap, for the sockets of all services. */
  static final HeapShare SHARE = HeapShare.ofOneService(40);

  private final long most;

  /** The budget of this process, which all its listeners share. */
  static SocketMemoryBudget ofProcess() {
    return OfProcess.BACKLOG;
  }

  private static final class OfProcess {
    private static final SocketMemoryBudget BACKLOG =
        new SocketMemoryBudget(HeapPlan.ofThisProcess(1).bytes(SHARE));
  }

  /** A connection or a response for which something is held. */
  interface Holder {
    /** How much is held for it; nothing once it is given up. */
    long held();

    /** Drops what is held, and sends the client the reason. */
    void giveUp(String reason);
  }

  private final AtomicLong bytes = new AtomicLong();
  private final Set<Holder> holders = ConcurrentHashMap.newKeySet();

  void join(Holder holder) {
    holders.add(holder);
  }

  void leave(Holder holder) {
    holders.remove(holder);
  }

  /**
   * Creates an unused budget.
   *
   * @param most how much may be held
   */
  SocketMemoryBudget(long most) {
    this.most = most;
  }

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
    return bytes.get() > most;
  }

  /** While too much is held, gives up the holder for which most is held. */
  void relieve() {
    while (isTooLong()) {
      Holder greediest = null;
      long heldForGreediest = 0;
      long heldForAll = 0;
      for (Holder holder : holders) {
        long held = holder.held();
        heldForAll += held;
        if (held > heldForGreediest) {
          greediest = holder;
          heldForGreediest = held;
        }
      }
      // Others have been given up since the bytes were checked: those left aren't to blame.
      if (greediest == null || heldForAll <= most) {
        return;
      }
      greediest.giveUp(
          "more than %d MiB are held for all, and most for this one; read, and finish what is sent"
              .formatted(most >> 20));
    }
  }
}
