package joshua.grace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;

/**
 * One client's queue at one moment, as admins see it.
 *
 * @param since when the queue was made
 * @param following how many topics
 * @param bytes of what waits; messages that wait for others, too, counted here as well
 * @param delivered messages that it has: answered, or acknowledged where a cursor is used
 * @param dropped because this queue, or all together, were full; told or not
 * @param polling whether a poll of its waits now
 * @param cursor whether its last poll came with a cursor
 * @param missed what it will be told of
 */
record ClientView(
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

  ObjectNode tree() {
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
