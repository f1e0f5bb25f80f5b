package joshua.grace.meter;

import joshua.conversation.Channel;
import joshua.conversation.Envelope;

/** Recognises the services' own messages that are about the client that would receive them. */
public final class HousekeepingEvents {
  private HousekeepingEvents() {}

  /**
   * Whether a message reports the client itself: its own heartbeat, join or leave, or an event
   * whose subject it is. Such a message wakes up no poll.
   */
  public static boolean isAbout(String clientId, Envelope envelope) {
    Channel channel = envelope.channel();
    if (channel.equals(Channel.HEARTBEAT) || channel.equals(Channel.PRESENCE)) {
      return envelope.senderId().equals(clientId);
    }
    return channel.equals(Channel.SYSTEM_EVENTS)
        && envelope.payload().path("subject").asText().equals(clientId);
  }
}
