package joshua.grace.queue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import joshua.grace.meter.MissedMessages;

/**
 * The outcome of a subscription.
 *
 * @param claim what this call named, to be confirmed or taken back
 * @param created whether the queue is new, too
 * @param lost what a new queue begins with
 * @param came whether the client has just become present
 * @param left the clients that were evicted to make room
 * @param confirmed completes when Redis delivers all of them
 */
public record SubscribeResult(
    ClientQueue queue,
    FollowedTopics.Claim claim,
    boolean created,
    Optional<MissedMessages> lost,
    boolean came,
    List<String> left,
    CompletableFuture<Void> confirmed)
    implements ClientQueues.Followed {}
