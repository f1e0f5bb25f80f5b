package joshua.grace.queue;

import java.time.Instant;
import joshua.conversation.ReceivedMessage;

/**
 * A waiting message, one object for all clients it waits for. It keeps what is read later, but not
 * the parsed payload, which may take thirty times the bytes. Made and counted by {@link
 * SharedMessages}; guarded by the lock of {@link ClientQueues}.
 */
public final class QueuedMessage {
  private final byte[] body;
  private final Instant timestamp;
  private int holders;

  public QueuedMessage(ReceivedMessage receivedMessage) {
    this.body = receivedMessage.body();
    this.timestamp = receivedMessage.envelope().timestamp();
  }

  /** The exact bytes that came from Redis, UTF-8. Treat them as read-only. */
  public byte[] body() {
    return body;
  }

  int bytes() {
    return body.length;
  }

  /** The message's own timestamp. */
  Instant timestamp() {
    return timestamp;
  }

  /** How many clients it waits for. */
  int holders() {
    return holders;
  }

  void hold() {
    holders++;
  }

  void release() {
    holders--;
  }
}
