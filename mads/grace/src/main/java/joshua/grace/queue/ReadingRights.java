package joshua.grace.queue;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import joshua.conversation.envelope.Channel.Kind;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;

/**
 * The channels that a client may read (wire contract §3, "Roles").
 *
 * @param othersDirect direct messages to others
 * @param housekeeping streams, and messages between services
 */
public record ReadingRights(boolean othersDirect, boolean housekeeping) {
  /** Those of a caller. */
  public static ReadingRights of(Caller caller, boolean othersDirect) {
    return new ReadingRights(othersDirect, caller.role().includes(Role.OPERATOR));
  }

  /** Why a client may not follow one of some topics, if so. */
  public Optional<Refusal> toFollow(String clientId, Collection<ChannelPattern> topics) {
    for (ChannelPattern topic : topics) {
      if (!othersDirect && !topic.isGlob() && !mayRead(clientId, topic.text())) {
        return forbidden(topic, "is for its owner, administrators and JOSHUA_DIRECT_READERS");
      }
      if (!housekeeping && (asksFor(topic, Kind.STREAM) || asksFor(topic, Kind.SYSTEM))) {
        return forbidden(topic, "needs the role operator");
      }
    }
    return Optional.empty();
  }

  private static boolean asksFor(ChannelPattern topic, Kind kind) {
    return topic.mayMatch(kind) && topic.asksFor(kind.prefix());
  }

  private static Optional<Refusal> forbidden(ChannelPattern topic, String why) {
    return Optional.of(
        Refusal.of(
            ErrorCode.FORBIDDEN, "topics must not have %s, which %s.".formatted(topic, why)));
  }

  /** Whether some of what a client's topics match is left out, since it isn't to read it. */
  public boolean withholdsFrom(List<String> topics) {
    return !othersDirect
        && topics.stream()
            .map(ChannelPattern::new)
            .anyMatch(topic -> topic.isGlob() && topic.mayMatch(Kind.DIRECT));
  }

  /** Whether a client may read a channel that it follows, without reading what is for others. */
  static boolean mayRead(String clientId, String channel) {
    String direct = Kind.DIRECT.prefix();
    return !channel.startsWith(direct) || channel.equals(direct + clientId);
  }
}
