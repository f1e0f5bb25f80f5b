package joshua.grace.meter;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;

/**
 * Messages × clients since Grace's start, at one moment: each message for a client was delivered,
 * was dropped, or is waiting (rule 2 of the ledger, wire contract §2).
 *
 * @param delivered returned by a poll, or acknowledged where a cursor is used
 * @param overflowed dropped because a queue, or all queues together, were full
 * @param evicted dropped with the queue of a client that was evicted to make room for another
 * @param unsubscribed dropped with a queue that its client gave up
 */
public record DeliveryTotals(
    long matched, long delivered, long overflowed, long evicted, long unsubscribed, long waiting) {

  public ObjectNode tree() {
    ObjectNode tree = Json.object();
    tree.put("matched", matched);
    tree.put("delivered", delivered);
    ObjectNode dropped = tree.putObject("dropped");
    dropped.put("overflow", overflowed);
    dropped.put("evicted", evicted);
    dropped.put("unsubscribed", unsubscribed);
    tree.put("waiting", waiting);
    return tree;
  }
}
