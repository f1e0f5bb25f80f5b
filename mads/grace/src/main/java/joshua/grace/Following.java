package joshua.grace;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.ChannelPattern;

/**
 * What a subscription came to.
 *
 * @param added the topics that are new for this client
 * @param topics all that it follows now
 * @param created whether the queue is new, too
 * @param came whether the client has just come
 * @param left the clients that were evicted to make place
 * @param confirmed completes when Redis delivers all of them
 */
record Following(
    ClientQueue queue,
    List<ChannelPattern> added,
    List<ChannelPattern> topics,
    boolean created,
    boolean came,
    List<String> left,
    CompletableFuture<Void> confirmed) {}
