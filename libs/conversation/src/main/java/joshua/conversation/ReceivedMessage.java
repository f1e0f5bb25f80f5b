package joshua.conversation;

/**
 * A message as it arrived, shared by all its receivers.
 *
 * @param body the bytes from Redis, UTF-8. Treat them as read-only
 */
@SuppressWarnings(
    "ArrayRecordComponent") // Shared, never compared; a copy for each of 10 000 clients is what
// this avoids.
public record ReceivedMessage(Envelope envelope, byte[] body) {}
