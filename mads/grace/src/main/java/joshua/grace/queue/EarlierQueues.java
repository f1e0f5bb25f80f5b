package joshua.grace.queue;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of queues that aren't there any more, here and before this run of the relay: by
 * that, a client with an old cursor is told of its loss. Guarded by the lock of {@link
 * ClientQueues}.
 */
final class EarlierQueues {
  private static final int REMEMBERED = 100_000;

  private record Ended(long number, boolean evicted, Instant since) {}

  final String epoch;
  private final Map<String, Ended> ended =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Ended> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * None yet.
   *
   * @param epoch tells this run of the relay from others
   */
  EarlierQueues(String epoch) {
    this.epoch = epoch;
  }

  /**
   * A queue is going to end.
   *
   * @param evicted whether its client didn't give it up itself
   */
  void add(ClientQueue queue, boolean evicted) {
    ended.put(queue.clientId, new Ended(queue.number, evicted, queue.lossSince()));
  }

  /** A client has a new queue, which tells it what it lost. */
  void forget(String clientId) {
    ended.remove(clientId);
  }

  String cursor(ClientQueue queue, QueuePosition position) {
    return Cursor.of(epoch, queue.clientId, position).toString();
  }

  /** The position of a cursor of this queue; empty for one of an earlier queue or run. */
  Optional<QueuePosition> position(ClientQueue queue, Optional<String> cursor) {
    return cursor
        .flatMap(Cursor::parse)
        .filter(known -> known.epoch().equals(epoch))
        .map(Cursor::position)
        .filter(position -> position.queue() == queue.number);
  }

  /** The loss that a cursor of an earlier queue or run reveals to a client that has this queue. */
  Optional<Loss> foreignLoss(ClientQueue queue, Optional<String> cursor) {
    return cursor.isPresent() && position(queue, cursor).isEmpty()
        ? loss(queue.clientId, cursor)
        : Optional.empty();
  }

  /** Why a client's earlier queue isn't there any more, unless it gave that up itself. */
  Optional<Loss> loss(String clientId, Optional<String> cursor) {
    Optional<Cursor> known = cursor.flatMap(Cursor::parse);
    if (known.isPresent() && !known.get().epoch().equals(epoch)) {
      Instant since = known.get().position().since();
      return Optional.of(new Loss(null, Loss.Reason.RESTART, since));
    }
    Ended last = ended.get(clientId);
    if (last != null && (known.isEmpty() || known.get().position().queue() == last.number())) {
      return last.evicted()
          ? Optional.of(new Loss(null, Loss.Reason.EVICTED, last.since()))
          : Optional.empty();
    }
    return known.map(old -> new Loss(null, Loss.Reason.EVICTED, old.position().since()));
  }
}
