package joshua.conversation;

import java.time.Instant;
import joshua.kernel.Identifiers;

/**
 * A participant of the bus.
 *
 * @param name the {@code sender_id} of what it sends, and its name on {@code mad.direct.…}; several
 *     instances may share it
 * @param instance tells the instances of one name apart
 */
public record Participant(String name, String instance, String version, Instant startedAt) {
  public Participant {
    if (!Identifiers.isName(name)) {
      throw new IllegalArgumentException("a participant's name " + Identifiers.NAME_RULE);
    }
  }
}
