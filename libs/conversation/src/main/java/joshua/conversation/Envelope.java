package joshua.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;

/**
 * A message of the bus (REQ-JC-05, wire contract §1).
 *
 * @param timestamp UTC, truncated to milliseconds
 * @param recipientId for direct messages
 * @param payload the content; may be empty. Treat it as read-only
 * @param unknown members that this version doesn't know, kept as they came
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
    Map<String, JsonNode> unknown) {

  public Envelope {
    if (!BusIdentifiers.isIdentifier(senderId)) {
      throw new IllegalArgumentException("sender_id " + BusIdentifiers.IDENTIFIER_RULE);
    }
    if (recipientId.filter(id -> !BusIdentifiers.isIdentifier(id)).isPresent()) {
      throw new IllegalArgumentException(
          "recipient_id " + BusIdentifiers.IDENTIFIER_RULE + ", or be null");
    }
    if (unknown.keySet().stream().anyMatch(EnvelopeCodec.MEMBERS::contains)) {
      throw new IllegalArgumentException("a member of the contract is not an unknown one");
    }
    timestamp = timestamp.truncatedTo(ChronoUnit.MILLIS);
    unknown = Collections.unmodifiableMap(new LinkedHashMap<>(unknown));
  }

  /**
   * Whether its payload makes it an answer: it has a {@code status} or a {@code notification_type}.
   * Two participants that answered each other's answers would do so forever.
   */
  public boolean isAnswer() {
    return payload.has("status") || payload.has("notification_type");
  }
}
