package joshua.rogers.incident;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A noteworthy fact about the bus, such as lost or malformed messages, or a suspected loop.
 *
 * @param at when it began
 * @param subject a channel or a participant; several are separated by commas
 * @param messages the number of messages concerned; 0 if unknown
 * @param isProblem whether it needs attention
 * @param head the beginning of a malformed message
 */
public record Incident(
    Kind kind,
    Instant at,
    String subject,
    long messages,
    String detail,
    boolean isProblem,
    @Nullable String head) {

  /** The kinds of incidents. */
  public enum Kind {
    /** A message that is no envelope. */
    DEAD_LETTER,
    /** Messages that nobody received. */
    UNHEARD,
    /** Messages to a known participant while it was away. */
    LOST_AWAY,
    /** The same, but an archivist has kept them. */
    KEPT_AWAY,
    /** Messages of which it isn't known whether anybody received them. */
    UNJUDGED,
    /** A sender far above its usual rate. */
    STORM,
    /** Participants that seem to answer each other endlessly. */
    LOOP,
    /** Messages that a client missed, as its relay reports. */
    MISSED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Merges an incident of the same kind, subject and detail. */
  Incident plus(Incident other) {
    return new Incident(kind, at, subject, messages + other.messages, detail, isProblem, head);
  }

  /** The same for the subjects that aren't kept apart. */
  Incident forOtherSubjects() {
    return new Incident(kind, at, "*", messages, "of more subjects", isProblem, null);
  }
}
