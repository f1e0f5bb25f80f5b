package joshua.thought;

import java.util.UUID;
import joshua.kernel.Ids;

/**
 * One question as it was put.
 *
 * @param requesterId who asks; "my" in the text means them (wire contract §3)
 */
public record Prompt(String text, String requesterId, UUID conversationId, UUID correlationId) {
  public Prompt {
    if (text.isBlank()) {
      throw new IllegalArgumentException("a prompt without a word");
    }
    if (!Ids.isIdentifier(requesterId)) {
      throw new IllegalArgumentException("a requester who " + Ids.IDENTIFIER_RULE);
    }
  }
}
