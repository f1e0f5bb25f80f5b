package joshua.grace;

import joshua.conversation.Channel;
import joshua.conversation.Envelope;

/** Which of the services' own messages concern the client that would be given them. */
final class HousekeepingEvents {
  private HousekeepingEvents() {}

  /**
   * Whether a message reports the client itself: its own heartbeat, join or leave, or an event
   * whose subject it is. Nobody is woken by those.
   */
  static boolean isAbout(String clientId, Envelope envelope) {
    Channel channel = envelope.channel();
    if (channel.equals(Channel.HEARTBEAT) || channel.equals(Channel.PRESENCE)) {
      return envelope.senderId().equals(clientId);
    }
    return channel.equals(Channel.SYSTEM_EVENTS)
        && envelope.payload().path("subject").asText().equals(clientId);
  }
}
