package joshua.rogers.count;

import java.time.Instant;
import joshua.conversation.envelope.Channel;

/**
 * The number and size of the messages that a sender published on a channel in an hour.
 *
 * @param hour the beginning of the hour, in UTC
 * @param sender {@code ?} where a message names none, {@code *} for those beyond the limit
 * @param channel or a wildcard for all of a kind, as {@code mad.stream.*}
 * @param lastAt the receipt of the last one
 */
public record TrafficCount(
    Instant hour,
    String sender,
    String channel,
    Channel.Kind kind,
    long messages,
    long bytes,
    Instant lastAt) {

  /** Whether the sender is a single participant with a name. */
  public boolean namesSender() {
    return !sender.equals(TrafficCounter.UNREADABLE) && !sender.equals(TrafficCounter.OTHERS);
  }

  /** The sum of two counts of the same hour, sender and channel. */
  public TrafficCount plus(TrafficCount other) {
    return new TrafficCount(
        hour,
        sender,
        channel,
        kind,
        messages + other.messages,
        bytes + other.bytes,
        lastAt.isAfter(other.lastAt) ? lastAt : other.lastAt);
  }
}
