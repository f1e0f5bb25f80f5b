package joshua.conversation;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * Something that a subscriber may have missed.
 *
 * @param missed how many messages, where that can be known
 * @param since no later than the first loss
 */
public record Gap(OptionalLong missed, Reason reason, Instant since) {

  /** Why messages are missing. */
  public enum Reason {
    /** They came faster than the subscriber took them; the oldest were dropped. */
    OVERFLOW,
    /** The connection to Redis was away. */
    RECONNECT
  }
}
