package joshua.conversation;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * Messages that a subscriber may have missed.
 *
 * @param missed how many, if that is known
 * @param since no later than the first loss
 */
public record Gap(OptionalLong missed, Reason reason, Instant since) {
  /** Why messages are missing. */
  public enum Reason {
    /** They came faster than the subscriber took them; the oldest were dropped. */
    OVERFLOW,
    /** The connection to Redis was lost. */
    RECONNECT
  }

  /** The gap of a connection that last worked at {@code since}. */
  static Gap reconnect(Instant since) {
    return new Gap(OptionalLong.empty(), Reason.RECONNECT, since);
  }
}
