package joshua.network.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.HeapPlan;
import joshua.kernel.HeapShare;

/**
 * What the clients of all listeners together make it hold, in bytes, text counted at two a
 * character: messages that peers of WebSockets don't finish, what they don't read, and what the
 * readers of HTTP responses don't. Each is within a bound of its own, and all of them are to leave
 * memory to others (+JN-03).
 */
final class SocketMemoryBudget {
  /** Of the heap, for the sockets of all services. */
  static final HeapShare SHARE = HeapShare.ofOneService(40);

  private final long most;

  /** The one of this process, which all its listeners share. */
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

    /** Forgets what is held, and tells the client why. */
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
   * Nothing is held.
   *
   * @param most that may be
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

  /** While more is held than may be, gives up the one for which most is. */
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
      // Others have been given up since the look at the bytes: who is left isn't to blame.
      if (greediest == null || heldForAll <= most) {
        return;
      }
      greediest.giveUp(
          "more than %d MiB are held for all, and most for this one; read, and finish what is sent"
              .formatted(most >> 20));
    }
  }
}
