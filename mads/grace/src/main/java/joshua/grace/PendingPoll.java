package joshua.grace;

import java.util.Optional;

/**
 * A poll under way. Guarded by the lock of {@link ClientQueues}.
 *
 * @param number later polls of the same client have greater ones
 * @param cursor whether the client acknowledges by cursors
 * @param foreign what a cursor of an earlier queue tells
 * @param came whether the client has just come back
 */
record PendingPoll(
    ClientQueue queue,
    long number,
    QueuePosition position,
    boolean cursor,
    Optional<MissedMessages> foreign,
    boolean came) {

  /** What a poll took: a slice, or nothing because the queue has gone meanwhile. */
  record Taken(Optional<ClientQueue.Page> page) {}

  /** Whether there is no reason to wait any longer. */
  boolean hasAnswer() {
    return queue.isGone() || isOvertaken() || foreign.isPresent() || queue.hasNews(position);
  }

  /** Whether the client has begun another poll since. */
  boolean isOvertaken() {
    return !queue.isLatestPoll(number);
  }
}
