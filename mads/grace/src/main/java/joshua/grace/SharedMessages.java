package joshua.grace;

import java.util.LinkedHashSet;
import joshua.conversation.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/**
 * What all queues hold together: a message that waits for many is held once. Guarded by the lock of
 * {@link ClientQueues}.
 */
final class SharedMessages {
  /** What a message takes beside its bytes: its objects, and its entry here. */
  static final int BYTES_OF_A_MESSAGE = 120;

  /** What it takes in each queue. */
  static final int BYTES_OF_A_PLACE = 8;

  /** In the order in which they came, which is the order of every queue. */
  private final LinkedHashSet<QueuedMessage> all = new LinkedHashSet<>();

  /** The last one that came: the bus hands a message to all its receivers before the next. */
  private @Nullable QueuedMessage newest;

  private long bytes;
  private long waiting;

  /** Holds a message for one client more. */
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

  /** It waits for one client less. */
  void release(QueuedMessage queuedMessage) {
    queuedMessage.release();
    waiting--;
    if (queuedMessage.holders() == 0) {
      all.remove(queuedMessage);
      bytes -= queuedMessage.bytes();
      newest = queuedMessage == newest ? null : newest;
    }
  }

  /** The one that came first of all that wait. */
  QueuedMessage oldest() {
    return all.getFirst();
  }

  /** Whether it waits for one client alone; the newest may be on its way to further ones. */
  boolean isHeldOnce(QueuedMessage queuedMessage) {
    return queuedMessage.holders() == 1 && queuedMessage != newest;
  }

  /** Bytes of messages, each counted once. */
  long bytes() {
    return bytes;
  }

  /** What all of that takes in memory: the bytes, the objects, the places in the queues. */
  long memory() {
    return bytes + (long) BYTES_OF_A_MESSAGE * all.size() + BYTES_OF_A_PLACE * waiting;
  }

  /** Messages × clients. */
  long waiting() {
    return waiting;
  }
}
