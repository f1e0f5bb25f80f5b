package joshua.conversation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages that were received and are yet to be read, bounded in bytes. Owned by the receiving
 * thread, which also drains it.
 */
public final class MessageBuffer {
  private final int minCharge;
  private List<ReceivedMessage> messages = new ArrayList<>();
  private long bytes;

  /** A message and its receipt. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
  public record ReceivedMessage(String channel, byte[] body, Instant at) {}

  /** Each message is charged its bytes, and {@code minCharge} at least, which bounds the number. */
  public MessageBuffer(int minCharge) {
    this.minCharge = minCharge;
  }

  /** Adds a message, unless all that is buffered would then be more than {@code limit} bytes. */
  public boolean add(String channel, byte[] body, Instant at, int limit) {
    int charge = Math.max(body.length, minCharge);
    if (bytes + charge > limit) {
      return false;
    }
    bytes += charge;
    messages.add(new ReceivedMessage(channel, body, at));
    return true;
  }

  /** Returns and removes all messages, in the order in which they came. */
  public List<ReceivedMessage> drain() {
    List<ReceivedMessage> drained = messages;
    messages = new ArrayList<>();
    bytes = 0;
    return drained;
  }
}
