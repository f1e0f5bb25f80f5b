package joshua.rogers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.Channel;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.rogers.incident.Incident;
import joshua.rogers.presence.Registry.Change;

/** What Rogers tells others on {@code mad.system.events} of what it noticed. */
final class Events {
  private static final int MOST_AT_ONCE = 200;

  private Events() {}

  /** The messages; of very many only the first, and that there were others. */
  static List<OutgoingMessage> of(List<Change> changes, List<Incident> incidents) {
    List<ObjectNode> events = new ArrayList<>();
    for (Change change : changes) {
      events.add(
          Json.object()
              .put("event", "participant")
              .put("at", Timestamps.format(change.at()))
              .put("subject", change.name())
              .put("status", change.standing().state().name())
              .put("cause", change.standing().cause().word())
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
    int beyond = events.size() - MOST_AT_ONCE;
    if (beyond > 0) {
      events.subList(MOST_AT_ONCE, events.size()).clear();
      events.add(Json.object().put("event", "more").put("detail", beyond + " other events"));
    }
    return events.stream().map(event -> OutgoingMessage.on(Channel.EVENTS, event)).toList();
  }
}
