package joshua.conversation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The number of copies that Redis has sent for each subscription of the present connection: what a
 * relay reports in its ledger (+RG-17, wire contract §2). It includes malformed messages and copies
 * that aren't the chosen one.
 *
 * <p>A subscription is counted from the first {@link #cut} after its confirmation, and from zero
 * after a reconnect. Guarded by the lock of {@link SubscriptionRouter}.
 */
public final class DeliveryCounter {

  /**
   * The count of one subscription at a cut.
   *
   * @param sinceMarker the number of the cut from which its copies are counted
   */
  public record Count(ChannelPattern subscription, long sinceMarker, long received) {}

  private static final class Tally {
    boolean counted;
    long sinceMarker;
    long received;
  }

  private final ReentrantLock lock;
  private final Map<ChannelPattern, Tally> tallies = new HashMap<>();
  private boolean started;

  DeliveryCounter(ReentrantLock lock) {
    this.lock = lock;
  }

  /** Starts counting: connections that need no counts don't pay for them. */
  void start() {
    lock.lock();
    try {
      started = true;
    } finally {
      lock.unlock();
    }
  }

  void began(ChannelPattern subscription) {
    tallies.putIfAbsent(subscription, new Tally());
  }

  void came(ChannelPattern subscription) {
    Tally tally = started ? tallies.get(subscription) : null;
    if (tally != null) {
      tally.received++;
    }
  }

  void ended(ChannelPattern subscription) {
    tallies.remove(subscription);
  }

  void allEnded() {
    tallies.clear();
  }

  /**
   * Returns the counts so far. A {@link MessageReceiver} calls it on the bus's thread, so that it
   * marks a point in the order of the connection: the copy that is being delivered, and those
   * before it, are counted.
   *
   * @param marker the number of this cut, higher than all before
   */
  public List<Count> cut(long marker) {
    lock.lock();
    try {
      List<Count> counts = new ArrayList<>(tallies.size());
      tallies.forEach((subscription, tally) -> {
        if (!tally.counted) {
          tally.counted = true;
          tally.sinceMarker = marker;
          tally.received = 0;
        }
        counts.add(new Count(subscription, tally.sinceMarker, tally.received));
      });
      return counts;
    } finally {
      lock.unlock();
    }
  }
}
