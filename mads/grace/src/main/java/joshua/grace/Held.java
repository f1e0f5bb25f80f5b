package joshua.grace;

import java.time.Instant;
import joshua.conversation.Delivery;

/**
 * A message while it waits, one for all clients it waits for: what is read of it later. Its parsed
 * payload isn't kept, which may take thirty times the bytes. Made and counted by {@link Holdings};
 * guarded by the lock of {@link ClientQueues}.
 */
final class Held {
  private final byte[] body;
  private final Instant timestamp;
  private int holders;

  Held(Delivery delivery) {
    this.body = delivery.body();
    this.timestamp = delivery.envelope().timestamp();
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
