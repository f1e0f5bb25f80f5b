package joshua.conversation;

import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Json;

/** The {@code join} and {@code leave} messages on {@code mad.system.presence}. */
public final class Presence {
  private Presence() {}

  /** {@code join}, because it has {@code started} or {@code reconnected}. */
  public static OutgoingMessage join(String instance, String reason) {
    return message("join", instance, reason);
  }

  public static OutgoingMessage leave(String instance, String reason) {
    return message("leave", instance, reason);
  }

  private static OutgoingMessage message(String event, String instance, String reason) {
    return OutgoingMessage.on(
        Channel.PRESENCE,
        Json.object().put("event", event).put("instance", instance).put("reason", reason));
  }

  /** Whether a message is the {@code join} of an instance other than this one. */
  public static boolean isJoin(Envelope envelope, String self) {
    return envelope.channel().equals(Channel.PRESENCE)
        && envelope.payload().path("event").asText().equals("join")
        && !envelope.payload().path("instance").asText().equals(self);
  }
}
