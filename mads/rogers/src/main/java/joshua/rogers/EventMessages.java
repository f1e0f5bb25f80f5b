package joshua.rogers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.Channel;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.rogers.incident.Incident;
import joshua.rogers.presence.Registry.StatusChange;

/** The messages on {@code mad.system.events} about state changes and incidents. */
final class EventMessages {
  private static final int MAX_EVENTS = 200;

  private EventMessages() {}

  /** One message each, {@value #MAX_EVENTS} at most, then one that counts the others. */
  static List<OutgoingMessage> of(List<StatusChange> changes, List<Incident> incidents) {
    List<ObjectNode> events = new ArrayList<>();
    for (StatusChange change : changes) {
      events.add(
          Json.object()
              .put("event", "participant")
              .put("at", Timestamps.format(change.at()))
              .put("subject", change.name())
              .put("status", change.status().state().name())
              .put("cause", change.status().cause().word())
              .put("detail", change.why()));
    }
    for (Incident incident : incidents) {
      events.add(
          Json.object()
              .put("event", incident.kind().word())
              .put("at", Timestamps.format(incident.at()))
              .put("subject", incident.subject())
              .put("messages", incident.messages())
              .put("detail", incident.detail()));
    }
    int beyond = events.size() - MAX_EVENTS;
    if (beyond > 0) {
      events.subList(MAX_EVENTS, events.size()).clear();
      events.add(Json.object().put("event", "more").put("detail", beyond + " other events"));
    }
    return events.stream().map(event -> OutgoingMessage.on(Channel.EVENTS, event)).toList();
  }
}
