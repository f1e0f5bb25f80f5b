package joshua.conversation;

import java.time.Instant;
import joshua.kernel.BusIdentifiers;

/**
 * Who takes part in the conversation.
 *
 * @param name the {@code sender_id}; several instances may share it
 * @param instance tells the instances of one name apart
 */
public record Participant(String name, String instance, String version, Instant startedAt) {
  public Participant {
    if (!BusIdentifiers.isIdentifier(name)) {
      throw new IllegalArgumentException("a participant's name " + BusIdentifiers.IDENTIFIER_RULE);
    }
  }
}
