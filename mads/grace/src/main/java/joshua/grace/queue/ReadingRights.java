package joshua.grace.queue;

import java.util.List;
import java.util.Optional;
import joshua.conversation.ChannelPattern;
import joshua.kernel.DirectReaders;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;

/**
 * What a client may read of the bus (wire contract §3), the least first. The one rule that {@code
 * grace_subscribe}, {@code grace_poll_messages} and the fan-out apply.
 */
public enum ReadingRights {
  /** Topics, the broadcast, and what is addressed to the client: a viewer. */
  PUBLIC,
  /** Everything but direct messages to others: an operator. */
  OWN,
  /**
   * Everything: admins, clients named in JOSHUA_DIRECT_READERS, and every client without tokens.
   */
  ALL;

  /** The channels left out, as an answer names them. */
  public static final List<String> WITHHELD = List.of("mad.direct.*");

  private static final String DIRECT = "mad.direct.";
  private static final String TOPIC = "mad.topic.";
  private static final String BROADCAST = "mad.broadcast";
  private static final List<String> OF_SERVICES = List.of("mad.system", "mad.stream");

  public static ReadingRights of(Caller caller, DirectReaders readers) {
    if (readers.include(caller.identity(), caller.role())) {
      return ALL;
    }
    return caller.role() == Role.VIEWER ? PUBLIC : OWN;
  }

  /** Whether a client may receive what comes on a channel. */
  boolean cover(String clientId, String channel) {
    if (this == ALL) {
      return true;
    }
    if (channel.startsWith(DIRECT)) {
      return channel.length() == DIRECT.length() + clientId.length() && channel.endsWith(clientId);
    }
    return this == OWN || channel.startsWith(TOPIC) || channel.equals(BROADCAST);
  }

  /**
   * Why a client may not subscribe to {@code topic}, the call's topic with that number; empty if it
   * may.
   */
  public Optional<Refusal> refusal(String clientId, ChannelPattern topic, int number) {
    boolean allowed =
        topic.isGlob()
            ? this != PUBLIC || OF_SERVICES.stream().noneMatch(topic.literalBeginning()::startsWith)
            : cover(clientId, topic.text());
    if (allowed) {
      return Optional.empty();
    }
    String rule =
        topic.text().startsWith(DIRECT)
            ? "direct messages to others are for admins and the client ids of JOSHUA_DIRECT_READERS"
            : "a viewer may follow topics, the broadcast and its own direct channel";
    return Optional.of(
        Refusal.of(
            ErrorCode.FORBIDDEN,
            "topics[%d] must not be %s: %s. Nothing was subscribed."
                .formatted(number, topic, rule)));
  }

  /** Whether direct messages to others are left out of what {@code topic} asks for. */
  public boolean withhold(ChannelPattern topic) {
    String beginning = topic.literalBeginning();
    return this != ALL
        && topic.isGlob()
        && (DIRECT.startsWith(beginning) || beginning.startsWith(DIRECT));
  }
}
