package joshua.rogers.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import joshua.kernel.Json;
import joshua.kernel.TreeTurns;
import org.jspecify.annotations.Nullable;

/**
 * A message as the journal stores it.
 *
 * @param payload its JSON, or only the beginning
 * @param payloadBytes the length of all of it
 */
public record JournalEntry(
    long atMillis,
    String conversationId,
    String correlationId,
    String messageId,
    String senderId,
    @Nullable String recipientId,
    String channel,
    String payload,
    int payloadBytes) {
  /** Longer payloads are cut. */
  public static final int PAYLOAD_LIMIT = 4_096;

  private static final int CONTINUES = 0b1000_0000;
  private static final int TOP_BITS = 0b1100_0000;

  /** An entry from a valid envelope. */
  static JournalEntry of(JournalRing.Copy copy) {
    try (TreeTurns.Turn _ = TreeTurns.OF_READERS.take(copy.envelope())) {
      JsonNode envelope = Json.parse(copy.envelope());
      byte[] payload = Json.bytes(envelope.path("payload"));
      return new JournalEntry(
          copy.atMillis(),
          envelope.path("conversation_id").asText(),
          envelope.path("correlation_id").asText(),
          envelope.path("message_id").asText(),
          envelope.path("sender_id").asText(),
          envelope.path("recipient_id").textValue(),
          envelope.path("channel").asText(),
          new String(beginning(payload), StandardCharsets.UTF_8),
          payload.length);
    } catch (Json.MalformedJsonException e) {
      throw new IllegalStateException("an envelope that was valid a moment ago", e);
    }
  }

  /** Cuts at a whole character. */
  private static byte[] beginning(byte[] payload) {
    if (payload.length <= PAYLOAD_LIMIT) {
      return payload;
    }
    int end = PAYLOAD_LIMIT;
    while ((payload[end] & TOP_BITS) == CONTINUES) {
      end--;
    }
    return Arrays.copyOf(payload, end);
  }

  boolean isCut() {
    return payloadBytes > PAYLOAD_LIMIT;
  }
}
