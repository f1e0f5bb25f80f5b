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
 * Speaks for clients on {@code mad.system.presence}: they join when they subscribe or come back,
 * and leave when they unsubscribe, are evicted or fall silent. One at a time speaks, which keeps
 * the order of what is said of a client; sending waits for nothing.
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

  /** A client has made a call; it joins again if it counted as having left. */
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
    message.payload().put("via", bus.self().name());
    var _ = bus.sendAsync(message.from(clientId));
  }

  /** Somebody has joined, who doesn't know the clients yet. */
  void somebodyJoined() {
    rosterDue = true;
  }

  /** Says what has become due; called about once a second. */
  public void tick() {
    clients.becameSilent().forEach(this::left);
    if (rosterDue) {
      rosterDue = false;
      clients.announced().stream()
          .gather(Gatherers.windowFixed(ROSTER_PAGE))
          .map(page -> new Roster("roster", bus.self().instance(), page))
          .map(roster -> Json.mapper().<ObjectNode>valueToTree(roster))
          .forEach(roster -> bus.sendAsync(OutgoingMessage.on(Channel.PRESENCE, roster)));
    }
  }
}
