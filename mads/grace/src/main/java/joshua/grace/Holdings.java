package joshua.grace;

import java.util.IdentityHashMap;
import joshua.conversation.Delivery;

/**
 * What all queues hold together: a message that waits for many is held once. Guarded by the lock of
 * {@link ClientQueues}.
 */
final class Holdings {
  private final IdentityHashMap<Delivery, Integer> holders = new IdentityHashMap<>();
  private long bytes;
  private long waiting;

  void hold(Delivery delivery) {
    waiting++;
    if (holders.merge(delivery, 1, Integer::sum) == 1) {
      bytes += delivery.body().length;
    }
  }

  void release(Delivery delivery) {
    waiting--;
    if (holders.merge(delivery, -1, Integer::sum) == 0) {
      holders.remove(delivery);
      bytes -= delivery.body().length;
    }
  }

  /** Bytes of messages, each counted once. */
  long bytes() {
    return bytes;
  }

  /** Messages × clients. */
  long waiting() {
    return waiting;
  }
}
