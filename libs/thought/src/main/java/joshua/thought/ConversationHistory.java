package joshua.thought;

import java.util.List;
import java.util.UUID;

/** The store of earlier turns of conversations. */
@FunctionalInterface
public interface ConversationHistory {
  /**
   * The latest turns of a conversation, oldest first; empty if there are none. Only turns of the
   * same requester: knowing a conversation's id doesn't reveal another requester's text.
   */
  List<ConversationTurn> turns(UUID conversationId, String requesterId, int atMost);

  /** A history without turns. */
  static ConversationHistory none() {
    return (conversationId, requesterId, atMost) -> List.of();
  }
}
