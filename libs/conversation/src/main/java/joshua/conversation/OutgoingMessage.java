package joshua.conversation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.UUID;

/**
 * A message to be sent: what its author decides. The bus adds the rest, and generates what is
 * absent (REQ-JC-06).
 *
 * @param sender the sender if it isn't the service itself
 * @param messageId only for messages that may be sent again as the same message
 */
public record OutgoingMessage(
    Channel channel,
    ObjectNode payload,
    Optional<String> sender,
    Optional<String> recipient,
    Optional<UUID> messageId,
    Optional<UUID> conversationId,
    Optional<UUID> correlationId) {

  /** A message on a channel; a direct channel determines the recipient. */
  public static OutgoingMessage on(Channel channel, ObjectNode payload) {
    return new OutgoingMessage(
        channel,
        payload,
        Optional.empty(),
        channel.recipient(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public static OutgoingMessage to(String recipient, ObjectNode payload) {
    return on(Channel.direct(recipient), payload);
  }

  public static OutgoingMessage toAll(ObjectNode payload) {
    return on(Channel.BROADCAST, payload);
  }

  /** An answer to the envelope's sender, in the same conversation, with the same correlation id. */
  public static OutgoingMessage answering(Envelope envelope, ObjectNode payload) {
    return to(envelope.senderId(), payload)
        .conversation(envelope.conversationId())
        .correlation(envelope.correlationId());
  }

  public OutgoingMessage from(String speaker) {
    return new OutgoingMessage(
        channel,
        payload,
        Optional.of(speaker),
        recipient,
        messageId,
        conversationId,
        correlationId);
  }

  public OutgoingMessage recipient(String id) {
    return new OutgoingMessage(
        channel, payload, sender, Optional.of(id), messageId, conversationId, correlationId);
  }

  public OutgoingMessage message(UUID id) {
    return new OutgoingMessage(
        channel, payload, sender, recipient, Optional.of(id), conversationId, correlationId);
  }

  public OutgoingMessage conversation(UUID id) {
    return new OutgoingMessage(
        channel, payload, sender, recipient, messageId, Optional.of(id), correlationId);
  }

  public OutgoingMessage correlation(UUID id) {
    return new OutgoingMessage(
        channel, payload, sender, recipient, messageId, conversationId, Optional.of(id));
  }
}
