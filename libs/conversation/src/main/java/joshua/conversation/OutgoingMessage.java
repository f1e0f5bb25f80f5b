package joshua.conversation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * A message to send. The bus adds the timestamp, and generates the ids that are absent (REQ-JC-06).
 *
 * @param sender null for the participant itself
 * @param messageId only for messages that may be sent again with the same id
 */
public record OutgoingMessage(
    Channel channel,
    ObjectNode payload,
    @Nullable String sender,
    @Nullable String recipient,
    @Nullable UUID messageId,
    @Nullable UUID conversationId,
    @Nullable UUID correlationId) {

  /** A message on a channel; a direct channel names the recipient. */
  public static OutgoingMessage on(Channel channel, ObjectNode payload) {
    return new OutgoingMessage(
        channel, payload, null, channel.recipient().orElse(null), null, null, null);
  }

  public static OutgoingMessage to(String recipient, ObjectNode payload) {
    return on(Channel.direct(recipient), payload);
  }

  /** An answer to an envelope's sender, in the same conversation, with the same correlation id. */
  public static OutgoingMessage answering(Envelope envelope, ObjectNode payload) {
    return to(envelope.senderId(), payload)
        .withConversation(envelope.conversationId())
        .withCorrelation(envelope.correlationId());
  }

  /** {@link Envelope#isAnswer}. */
  boolean isAnswer() {
    return payload.has("status") || payload.has("notification_type");
  }

  public OutgoingMessage from(String name) {
    return new OutgoingMessage(
        channel, payload, name, recipient, messageId, conversationId, correlationId);
  }

  public OutgoingMessage withMessageId(UUID id) {
    return new OutgoingMessage(
        channel, payload, sender, recipient, id, conversationId, correlationId);
  }

  public OutgoingMessage withConversation(@Nullable UUID id) {
    return new OutgoingMessage(channel, payload, sender, recipient, messageId, id, correlationId);
  }

  public OutgoingMessage withCorrelation(UUID id) {
    return new OutgoingMessage(channel, payload, sender, recipient, messageId, conversationId, id);
  }
}
