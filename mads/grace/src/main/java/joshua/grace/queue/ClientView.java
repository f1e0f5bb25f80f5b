package joshua.grace.queue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.grace.meter.MissedMessages;
import joshua.kernel.Json;

/**
 * One client's queue at one moment, as admins see it.
 *
 * @param since when the queue was made
 * @param following how many topics it follows
 * @param bytes of the waiting messages, including messages that wait for others as well
 * @param delivered messages that it has received: returned by a poll, or acknowledged where it uses
 *     a cursor
 * @param dropped because this queue, or all queues together, were full; whether reported yet or not
 * @param polling whether one of its polls is waiting now
 * @param cursor whether its last poll came with a cursor
 * @param missed what will be reported to it as missed
 */
public record ClientView(
    String clientId,
    Instant since,
    int following,
    int waiting,
    long bytes,
    long delivered,
    long dropped,
    boolean present,
    Instant lastCall,
    Optional<Instant> lastPoll,
    boolean polling,
    boolean cursor,
    Optional<MissedMessages> missed) {

  public ObjectNode tree() {
    ObjectNode tree = Json.object();
    tree.put("client_id", clientId);
    tree.put("since", EnvelopeCodec.timestamp(since));
    tree.put("following", following);
    tree.put("waiting", waiting);
    tree.put("bytes", bytes);
    tree.put("delivered", delivered);
    tree.put("dropped", dropped);
    tree.put("present", present);
    tree.put("last_call", EnvelopeCodec.timestamp(lastCall));
    tree.put("last_poll", lastPoll.map(EnvelopeCodec::timestamp).orElse(null));
    tree.put("polling", polling);
    tree.put("cursor", cursor);
    tree.set("gap", missed.map(MissedMessages::tree).orElse(null));
    return tree;
  }
}
