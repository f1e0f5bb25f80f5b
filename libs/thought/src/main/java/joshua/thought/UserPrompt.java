package joshua.thought;

import java.util.UUID;
import joshua.kernel.BusIdentifiers;

/**
 * A user's prompt.
 *
 * @param requesterId the asker; "my" in the text refers to it (wire contract §3)
 * @param offline whether it may be answered without a model
 */
public record UserPrompt(
    String text, String requesterId, UUID conversationId, UUID correlationId, OfflineMode offline) {
  public UserPrompt {
    if (text.isBlank()) {
      throw new IllegalArgumentException("a prompt without a word");
    }
    if (!BusIdentifiers.isIdentifier(requesterId)) {
      throw new IllegalArgumentException("a requester who " + BusIdentifiers.IDENTIFIER_RULE);
    }
  }

  /** A prompt that any stage may answer. */
  public UserPrompt(String text, String requesterId, UUID conversationId, UUID correlationId) {
    this(text, requesterId, conversationId, correlationId, OfflineMode.AUTO);
  }
}
