package joshua.dewey.mail;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import joshua.conversation.PresenceMessage;
import joshua.network.Access;

/**
 * Who listens to its direct channel, as presence tells: by itself, which its own heartbeats say, or
 * by a relay, which speaks for it. For one thread, but for {@link #lastSeen}.
 */
public final class Presences {
  private static final Duration HEARTBEAT_TTL = Duration.ofSeconds(30);
  private static final int MAX_NAMES = 100_000;

  private final Access access;

  /** The last heartbeats by name. */
  private final Map<String, Instant> heartbeats = new HashMap<>();

  /** The relays by instance. */
  private final Map<String, Relay> relays = new HashMap<>();

  /** When each was last announced in this run; a mailbox is opened for the first time. */
  private final Map<String, Instant> announcements = new ConcurrentHashMap<>();

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
    List<String> announced =
        switch (message.event()) {
          case HEARTBEAT -> {
            heartbeats.put(message.name(), message.at());
            Relay beating =
                relays.computeIfPresent(
                    message.instance(), (any, relay) -> new Relay(message.at(), relay.clients()));
            Set<String> there = new HashSet<>(beating == null ? Set.of() : beating.clients());
            there.add(message.name());
            yield List.copyOf(there);
          }
          case ROSTER -> {
            relay(message).addAll(message.clients());
            yield message.clients();
          }
          case JOIN -> {
            if (message.via().isPresent()) {
              relay(message).add(message.name());
            } else {
              heartbeats.put(message.name(), message.at());
            }
            yield List.of(message.name());
          }
          case LEAVE -> {
            announcements.replace(message.name(), message.at());
            if (message.via().isPresent()) {
              relay(message).remove(message.name());
            } else {
              heartbeats.remove(message.name());
              relays.remove(message.instance());
            }
            yield List.of();
          }
          case OTHER -> List.of();
        };
    if (announcements.size() > MAX_NAMES) {
      announcements.clear(); // a mailbox that is there stays
      heartbeats.clear();
    }
    return announced.stream()
        .filter(name -> !isService(name) && announcements.put(name, message.at()) == null)
        .toList();
  }

  /** When somebody was last there, as far as this run knows; any thread may call. */
  public Optional<Instant> lastSeen(String name) {
    return Optional.ofNullable(announcements.get(name));
  }

  /** The clients of the relay that reports something. */
  private Set<String> relay(PresenceMessage message) {
    relays.values().removeIf(relay -> !relay.isAlive(message.at()));
    return relays
        .computeIfAbsent(message.instance(), any -> new Relay(message.at(), new HashSet<>()))
        .clients();
  }

  /** Whether somebody listens by itself, and no relay speaks for it, which hands its mail over. */
  public boolean listens(String name, Instant at) {
    Instant last = heartbeats.get(name);
    return last != null
        && !last.plus(HEARTBEAT_TTL).isBefore(at)
        && relays.values().stream().noneMatch(relay -> relay.clients().contains(name));
  }

  /** Whether a name is a service's, which has no mail. */
  public boolean isService(String name) {
    return access.isService(name);
  }
}
