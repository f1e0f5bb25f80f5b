package joshua.dewey.mail;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import joshua.conversation.PresenceMessage;
import joshua.conversation.envelope.Channel;
import joshua.kernel.Identifiers;
import joshua.network.Access;

/**
 * Who listens to its direct channel, as presence tells: by itself, which its own heartbeats say, or
 * by a relay, which speaks for it. For one thread.
 */
public final class Presences {
  private static final Duration HEARTBEAT_TTL = Duration.ofSeconds(30);
  private static final int MAX_NAMES = 100_000;

  private final Access access;

  /** The last heartbeats by name, the least recent first. */
  private final Map<String, Instant> heartbeats = new LinkedHashMap<>();

  /** The relays by instance. */
  private final Map<String, Relay> relays = new HashMap<>();

  /** Who has joined in this run, so that a mailbox is opened once. */
  private final Set<String> joined = new HashSet<>();

  /** A relay's last sign of life, and its clients. */
  private record Relay(Instant heardAt, Set<String> clients) {
    boolean isAlive(Instant at) {
      return !heardAt.plus(HEARTBEAT_TTL).isBefore(at);
    }
  }

  public Presences(Access access) {
    this.access = access;
  }

  /** Takes a message, and returns the names that it is the first to announce. */
  public List<String> receive(PresenceMessage message) {
    JsonNode payload = message.envelope().payload();
    String name = message.name();
    String instance = payload.path("instance").asText();
    List<String> news = new ArrayList<>();
    if (message.envelope().channel().equals(Channel.HEARTBEAT)) {
      heard(name, message.at());
      relays.computeIfPresent(
          instance, (any, relay) -> new Relay(message.at(), relay.clients()));
      news.add(name);
    } else {
      switch (payload.path("event").asText()) {
        case "roster" -> {
          for (JsonNode client : payload.path("clients")) {
            if (Identifiers.isName(client.asText())) {
              relay(instance, message.at()).add(client.asText());
              news.add(client.asText());
            }
          }
        }
        case "join" -> {
          if (payload.has("via")) {
            relay(instance, message.at()).add(name);
          } else {
            heard(name, message.at());
          }
          news.add(name);
        }
        case "leave" -> {
          if (payload.has("via")) {
            relay(instance, message.at()).remove(name);
          } else {
            heartbeats.remove(name);
            relays.remove(instance);
          }
        }
        default -> {} // of a later version
      }
    }
    if (joined.size() > MAX_NAMES) {
      joined.clear(); // a mailbox that is there stays
    }
    news.removeIf(each -> isService(each) || !joined.add(each));
    return news;
  }

  private void heard(String name, Instant at) {
    heartbeats.remove(name);
    heartbeats.put(name, at);
    Iterator<Instant> leastRecent = heartbeats.values().iterator();
    while (leastRecent.next().plus(HEARTBEAT_TTL).isBefore(at)) {
      leastRecent.remove();
    }
  }

  private Set<String> relay(String instance, Instant at) {
    relays.values().removeIf(relay -> !relay.isAlive(at));
    return relays.computeIfAbsent(instance, any -> new Relay(at, new HashSet<>())).clients();
  }

  /** Whether somebody listens, by itself or by a relay. */
  public boolean listens(String name, Instant at) {
    Instant last = heartbeats.get(name);
    return (last != null && !last.plus(HEARTBEAT_TTL).isBefore(at))
        || relays.values().stream()
            .anyMatch(relay -> relay.isAlive(at) && relay.clients().contains(name));
  }

  /** Whether a name is a service's, which has no mail. */
  public boolean isService(String name) {
    return access.isService(name);
  }
}
