package joshua.conversation;

import java.time.Instant;
import joshua.kernel.BusIdentifiers;

/**
 * A participant in the conversation.
 *
 * @param name the {@code sender_id}; several instances may share it
 * @param instance distinguishes the instances of one name
 */
public record Participant(String name, String instance, String version, Instant startedAt) {
  public Participant {
    if (!BusIdentifiers.isIdentifier(name)) {
      throw new IllegalArgumentException("a participant's name " + BusIdentifiers.IDENTIFIER_RULE);
    }
  }
}
