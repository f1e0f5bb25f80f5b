package joshua.conversation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import joshua.kernel.Json;

/**
 * The messages on {@code mad.system.presence}: a participant joins or leaves (wire contract §2).
 */
public final class Presence {
  private Presence() {}

  /** What happened. */
  public enum Event {
    JOIN,
    LEAVE
  }

  public static OutgoingMessage draft(Event event, String instance, String reason) {
    ObjectNode payload = Json.object();
    payload.put("event", event.name().toLowerCase(Locale.ROOT));
    payload.put("instance", instance);
    payload.put("reason", reason);
    return OutgoingMessage.on(Channel.PRESENCE, payload);
  }

  /** Whether the sender announces that it leaves. */
  public static boolean isLeave(Envelope envelope) {
    return envelope.channel().equals(Channel.PRESENCE)
        && envelope.payload().path("event").asText().equals("leave");
  }

  static boolean isJoin(Envelope envelope) {
    return envelope.channel().equals(Channel.PRESENCE)
        && envelope.payload().path("event").asText().equals("join");
  }
}
