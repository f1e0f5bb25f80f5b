package joshua.grace.presence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Gatherers;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.Presence;
import joshua.conversation.envelope.Channel;
import joshua.grace.queue.ClientActivity;
import joshua.grace.queue.ClientQueues.Leaver;
import joshua.kernel.Json;

/**
 * Announcements of clients on {@code mad.system.presence}: a join when a client subscribes or comes
 * back, a leave when it unsubscribes, is evicted or falls silent. A monitor keeps the order of what
 * is announced of a client; sending doesn't block. Watchers aren't announced.
 */
public final class ClientPresence {
  private static final int ROSTER_PAGE = 500;

  private record Roster(String event, String instance, List<String> clients) {}

  private final ConversationBus bus;
  private final ClientActivity clients;
  private volatile boolean rosterDue;

  public ClientPresence(ConversationBus bus, ClientActivity clients) {
    this.bus = bus;
    this.clients = clients;
  }

  /** Records a call of a client, which joins again if it counted as having left. */
  public void called(String clientId) {
    if (clients.called(clientId)) {
      joined(clientId, "back");
    }
  }

  public synchronized void joined(String clientId, String reason) {
    say(Presence.join(bus.self().instance(), reason), clientId);
  }

  public synchronized void left(Leaver leaver) {
    if (!clients.isAnnounced(leaver.clientId())) { // it may have come back meanwhile
      OutgoingMessage leave = Presence.leave(bus.self().instance(), leaver.reason());
      leave.payload().put("away", clients.view(leaver.clientId()).isPresent()); // it has a queue
      say(leave, leaver.clientId());
    }
  }

  private void say(OutgoingMessage message, String clientId) {
    if (!clientId.startsWith(ClientActivity.WATCHER)) {
      message.payload().put("via", bus.self().name());
      var _ = bus.sendAsync(message.from(clientId));
    }
  }

  /** Schedules a roster for a participant that has joined, and doesn't know the clients yet. */
  void somebodyJoined() {
    rosterDue = true;
  }

  /** Announces leaves and rosters that are due; called about once a second. */
  public void tick() {
    clients.becameSilent().forEach(this::left);
    if (rosterDue) {
      rosterDue = false;
      clients.announced().stream()
          .filter(client -> !client.startsWith(ClientActivity.WATCHER))
          .gather(Gatherers.windowFixed(ROSTER_PAGE))
          .map(page -> new Roster("roster", bus.self().instance(), page))
          .map(roster -> Json.mapper().<ObjectNode>valueToTree(roster))
          .forEach(roster -> bus.sendAsync(OutgoingMessage.on(Channel.PRESENCE, roster)));
    }
  }
}
