package joshua.conversation;

import java.time.Instant;
import joshua.kernel.Identifiers;

/**
 * The identity of a participant on the bus.
 *
 * @param name the {@code sender_id} of what it sends, and its name on {@code mad.direct.…}; several
 *     instances may share it
 * @param instance distinguishes the instances of one name
 */
public record BusIdentity(String name, String instance, String version, Instant startedAt) {
  public BusIdentity {
    if (!Identifiers.isName(name)) {
      throw new IllegalArgumentException("a participant's name " + Identifiers.NAME_RULE);
    }
  }
}
