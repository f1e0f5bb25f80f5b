package joshua.thought;

import java.util.UUID;
import joshua.kernel.Ids;

/**
 * One question as it was put.
 *
 * @param requesterId who asks; "my" in the text means them (wire contract §3)
 * @param offline whether it may be answered without a model
 */
public record Prompt(
    String text, String requesterId, UUID conversationId, UUID correlationId, OfflineMode offline) {
  public Prompt {
    if (text.isBlank()) {
      throw new IllegalArgumentException("a prompt without a word");
    }
    if (!Ids.isIdentifier(requesterId)) {
      throw new IllegalArgumentException("a requester who " + Ids.IDENTIFIER_RULE);
    }
  }

  /** One that any stage may answer. */
  public Prompt(String text, String requesterId, UUID conversationId, UUID correlationId) {
    this(text, requesterId, conversationId, correlationId, OfflineMode.AUTO);
  }
}
