package joshua.rogers.count;

import java.time.Instant;
import joshua.conversation.envelope.Channel;

/**
 * How much a sender has published on a channel.
 *
 * @param hour the beginning of the hour, in UTC
 * @param sender {@code ?} where a message names none, {@code *} for those beyond the limit
 * @param channel or all of a kind, as {@code mad.stream.*}
 * @param lastAt when the last of them came
 */
public record Count(
    Instant hour,
    String sender,
    String channel,
    Channel.Kind kind,
    long messages,
    long bytes,
    Instant lastAt) {

  /** Whether the sender is one participant, and known by its name. */
  public boolean namesSender() {
    return !sender.equals(TrafficCounter.UNREADABLE) && !sender.equals(TrafficCounter.OTHERS);
  }

  /** What both have together, of the same hour, sender and channel. */
  public Count plus(Count other) {
    return new Count(
        hour,
        sender,
        channel,
        kind,
        messages + other.messages,
        bytes + other.bytes,
        lastAt.isAfter(other.lastAt) ? lastAt : other.lastAt);
  }
}
