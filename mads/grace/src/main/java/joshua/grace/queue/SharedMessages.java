package joshua.grace.queue;

import java.util.LinkedHashSet;
import joshua.conversation.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/**
 * The messages of all queues together: one that waits for many clients is held once. Guarded by the
 * lock of {@link ClientQueues}.
 */
final class SharedMessages {
  /** What a message takes besides its bytes: its objects, and its entry here. */
  static final int BYTES_OF_A_MESSAGE = 120;

  /** What it takes in each queue. */
  static final int BYTES_OF_A_PLACE = 8;

  /** In order of arrival, which is the order of every queue. */
  private final LinkedHashSet<QueuedMessage> all = new LinkedHashSet<>();

  /** The last to arrive: the bus delivers a message to all its receivers before the next. */
  private @Nullable QueuedMessage newest;

  private long bytes;
  private long waiting;

  /** Holds a message for one more client. */
  @SuppressWarnings("ReferenceEquality") // The same bytes published twice are two messages.
  QueuedMessage hold(ReceivedMessage receivedMessage) {
    QueuedMessage queuedMessage = newest;
    if (queuedMessage == null || queuedMessage.body() != receivedMessage.body()) {
      queuedMessage = new QueuedMessage(receivedMessage);
      newest = queuedMessage;
      all.add(queuedMessage);
      bytes += queuedMessage.bytes();
    }
    queuedMessage.hold();
    waiting++;
    return queuedMessage;
  }

  /** Releases a message for one client. */
  void release(QueuedMessage queuedMessage) {
    queuedMessage.release();
    waiting--;
    if (queuedMessage.holders() == 0) {
      all.remove(queuedMessage);
      bytes -= queuedMessage.bytes();
      newest = queuedMessage == newest ? null : newest;
    }
  }

  /** The first to arrive of all that wait. */
  QueuedMessage oldest() {
    return all.getFirst();
  }

  /** Whether it waits for one client only; the newest may still be on its way to others. */
  boolean isHeldOnce(QueuedMessage queuedMessage) {
    return queuedMessage.holders() == 1 && queuedMessage != newest;
  }

  /** Bytes of messages, each counted once. */
  long bytes() {
    return bytes;
  }

  /** The memory of all that: the bytes, the objects, the places in the queues. */
  long memory() {
    return bytes + (long) BYTES_OF_A_MESSAGE * all.size() + BYTES_OF_A_PLACE * waiting;
  }

  /** Messages × clients. */
  long waiting() {
    return waiting;
  }
}
