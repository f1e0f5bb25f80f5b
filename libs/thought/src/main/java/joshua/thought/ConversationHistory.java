package joshua.thought;

import java.util.List;
import java.util.UUID;

/** Where the earlier turns of a conversation are kept. */
@FunctionalInterface
public interface ConversationHistory {
  /**
   * The latest turns of a conversation, oldest first; empty where there are none. Only those of the
   * same requester: a conversation's id alone opens nobody's words to somebody else.
   */
  List<ConversationTurn> turns(UUID conversationId, String requesterId, int atMost);

  /** Nothing is remembered. */
  static ConversationHistory none() {
    return (conversationId, requesterId, atMost) -> List.of();
  }
}
