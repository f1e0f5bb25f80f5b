package joshua.grace;

import java.time.Instant;
import joshua.conversation.ReceivedMessage;

/**
 * A message while it waits, one for all clients it waits for: what is read of it later. Its parsed
 * payload isn't kept, which may take thirty times the bytes. Made and counted by {@link
 * SharedMessages}; guarded by the lock of {@link ClientQueues}.
 */
final class QueuedMessage {
  private final byte[] body;
  private final Instant timestamp;
  private int holders;

  QueuedMessage(ReceivedMessage receivedMessage) {
    this.body = receivedMessage.body();
    this.timestamp = receivedMessage.envelope().timestamp();
  }

  /** The very bytes that came from Redis, UTF-8. Treat them as read-only. */
  byte[] body() {
    return body;
  }

  int bytes() {
    return body.length;
  }

  /** What the message itself says. */
  Instant timestamp() {
    return timestamp;
  }

  /** For how many clients it waits. */
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
