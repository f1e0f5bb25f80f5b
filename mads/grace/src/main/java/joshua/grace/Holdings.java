package joshua.grace;

import java.util.LinkedHashSet;
import joshua.conversation.Delivery;
import org.jspecify.annotations.Nullable;

/**
 * What all queues hold together: a message that waits for many is held once. Guarded by the lock of
 * {@link ClientQueues}.
 */
final class Holdings {
  /** What a message takes beside its bytes: its objects, and its entry here. */
  static final int BYTES_OF_A_MESSAGE = 120;

  /** What it takes in each queue. */
  static final int BYTES_OF_A_PLACE = 8;

  /** In the order in which they came, which is the order of every queue. */
  private final LinkedHashSet<Held> all = new LinkedHashSet<>();

  /** The last one that came: the bus hands a message to all its receivers before the next. */
  private @Nullable Held newest;

  private long bytes;
  private long waiting;

  /** Holds a message for one client more. */
  @SuppressWarnings("ReferenceEquality") // The same bytes published twice are two messages.
  Held hold(Delivery delivery) {
    Held held = newest;
    if (held == null || held.body() != delivery.body()) {
      held = new Held(delivery);
      newest = held;
      all.add(held);
      bytes += held.bytes();
    }
    held.hold();
    waiting++;
    return held;
  }

  /** It waits for one client less. */
  void release(Held held) {
    held.release();
    waiting--;
    if (held.holders() == 0) {
      all.remove(held);
      bytes -= held.bytes();
      newest = held == newest ? null : newest;
    }
  }

  /** The one that came first of all that wait. */
  Held oldest() {
    return all.getFirst();
  }

  /** Whether it waits for one client alone; the newest may be on its way to further ones. */
  boolean isHeldOnce(Held held) {
    return held.holders() == 1 && held != newest;
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
