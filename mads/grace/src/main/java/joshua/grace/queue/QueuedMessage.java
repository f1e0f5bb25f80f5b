package joshua.grace.queue;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeHead;

/**
 * A message that waits, one object for all queues that have it. It keeps the bytes that came from
 * Redis and no parsed payload, which may take thirty times as much. Guarded by the lock of {@link
 * ClientQueues}.
 */
public final class QueuedMessage {
  final byte[] body;
  final String sender;
  final Instant timestamp;
  final List<ClientQueue> queues; // that it was meant for
  final String channel;
  boolean kept; // it comes from the archivist
  boolean left; // whom it was sent to gets it from the archivist
  boolean again; // an earlier answer to whom it was sent had it
  int holders; // queues that have it

  QueuedMessage(byte[] body, Envelope envelope, List<ClientQueue> queues) {
    this.body = body;
    this.sender = envelope.senderId();
    this.timestamp = envelope.timestamp();
    this.channel = envelope.channel().name();
    this.queues = queues;
  }

  String id() {
    return Objects.requireNonNullElse(EnvelopeHead.idOf(body), "");
  }

  public boolean isKept() {
    return kept;
  }

  /** UTF-8, not to be changed. */
  public byte[] body() {
    return body;
  }

  public String sender() {
    return sender;
  }

  public Instant timestamp() {
    return timestamp;
  }
}
