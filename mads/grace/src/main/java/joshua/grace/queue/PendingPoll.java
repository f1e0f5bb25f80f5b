package joshua.grace.queue;

import java.util.Optional;
import joshua.grace.meter.MissedMessages;

/**
 * A poll that has begun and isn't answered yet. Guarded by the lock of {@link ClientQueues}.
 *
 * @param number later polls of the same client have greater ones
 * @param cursor whether the client acknowledges by cursors
 * @param foreign the loss revealed by a cursor of an earlier queue
 * @param came whether the client has just become present again
 */
public record PendingPoll(
    ClientQueue queue,
    long number,
    QueuePosition position,
    boolean cursor,
    Optional<MissedMessages> foreign,
    boolean came) {

  /** What a poll took: a slice, or nothing because the queue has been closed in the meantime. */
  public record Taken(Optional<ClientQueue.Page> page) {}

  /** Whether there is no reason to wait any longer. */
  boolean hasAnswer() {
    return queue.isGone() || isOvertaken() || foreign.isPresent() || queue.hasNews(position);
  }

  /** Whether the client has since begun another poll. */
  boolean isOvertaken() {
    return !queue.isLatestPoll(number);
  }
}
