package joshua.grace.queue;

import java.time.Instant;
import java.util.List;

/**
 * A waiting message, one object for all clients that it waits for. It keeps the exact bytes that
 * came from Redis and no parsed payload, which may take thirty times as much. Guarded by the lock
 * of {@link ClientQueues}.
 */
final class QueuedMessage {
  private final byte[] body;
  private final Instant timestamp;
  private final List<ClientQueue> queues;
  private int holders;

  /**
   * A message that has just come.
   *
   * @param timestamp its own
   * @param queues where it is put
   */
  QueuedMessage(byte[] body, Instant timestamp, List<ClientQueue> queues) {
    this.body = body;
    this.timestamp = timestamp;
    this.queues = queues;
  }

  /** UTF-8, read-only. */
  byte[] body() {
    return body;
  }

  Instant timestamp() {
    return timestamp;
  }

  /** Where it was put; it may have left some of these. */
  List<ClientQueue> queues() {
    return queues;
  }

  void hold() {
    holders++;
  }

  /** Whether that was the last queue to hold it. */
  boolean release() {
    return --holders == 0;
  }
}
