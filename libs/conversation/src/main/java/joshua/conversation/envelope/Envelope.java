package joshua.conversation.envelope;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Identifiers;

/**
 * A message of the bus (REQ-JC-05, wire contract §1).
 *
 * @param timestamp UTC, truncated to milliseconds
 * @param recipientId for direct messages
 * @param payload the content; may be empty. Treat it as read-only
 * @param more unknown members, kept unchanged
 */
public record Envelope(
    UUID messageId,
    UUID conversationId,
    UUID correlationId,
    Instant timestamp,
    String senderId,
    Optional<String> recipientId,
    Channel channel,
    ObjectNode payload,
    Map<String, JsonNode> more) {

  public Envelope {
    if (!Identifiers.isName(senderId)) {
      throw new IllegalArgumentException("sender_id " + Identifiers.NAME_RULE);
    }
    if (recipientId.isPresent() && !Identifiers.isName(recipientId.get())) {
      throw new IllegalArgumentException("recipient_id " + Identifiers.NAME_RULE + ", or be null");
    }
    timestamp = timestamp.truncatedTo(ChronoUnit.MILLIS);
    more = more.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(more));
  }

  /** The ids by which to find it in a log. */
  public String ids() {
    return "message %s on %s, correlation id %s"
        .formatted(messageId, channel.name(), correlationId);
  }

  /**
   * Whether its payload makes it an answer: it has a {@code status} or a {@code notification_type}.
   * Answering an answer would never end.
   */
  public boolean isAnswer() {
    return payload.has("status") || payload.has("notification_type");
  }
}
