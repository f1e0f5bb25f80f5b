package joshua.conversation;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * A gap in what a subscriber received: messages that it may have missed.
 *
 * @param missed how many, if that is known
 * @param since no later than the first loss
 */
public record Gap(OptionalLong missed, Reason reason, Instant since) {
  /** The reasons for missing messages. */
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
