package joshua.rogers.incident;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that isn't as it should be.
 *
 * @param at when it began
 * @param subject a channel or a participant; several of them with commas between
 * @param messages how many it concerns; 0 where that isn't known
 * @param isProblem whether somebody should look after it
 * @param head the beginning of a message that can't be read
 */
public record Incident(
    Kind kind,
    Instant at,
    String subject,
    long messages,
    String detail,
    boolean isProblem,
    @Nullable String head) {

  /** What can happen. */
  public enum Kind {
    /** A message is no envelope. */
    DEAD_LETTER,
    /** Nobody received what was published. */
    UNHEARD,
    /** Somebody known wasn't there to receive what was sent to it. */
    LOST_AWAY,
    /** It isn't known whether somebody received what was published. */
    UNJUDGED,
    /** A participant sends far more than usual. */
    STORM,
    /** Participants answer each other for ever, it seems. */
    LOOP,
    /** A client was told that it missed messages. */
    MISSED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The same with others of the kind, subject and detail. */
  Incident plus(Incident other) {
    return new Incident(kind, at, subject, messages + other.messages, detail, isProblem, head);
  }

  /** The same of a subject that isn't kept apart. */
  Incident ofOthers() {
    return new Incident(kind, at, "*", messages, "of more subjects", isProblem, null);
  }
}
