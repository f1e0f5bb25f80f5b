package joshua.rogers.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import joshua.conversation.PresenceMessage;
import joshua.network.Access;

/**
 * The services that keep what is said, and when each was there, as its heartbeats tell. Owned by
 * the monitor's thread.
 */
public final class Archivists {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final Access access;
  private final Map<String, Presence> instances = new HashMap<>();

  /** From an archivist's first heartbeat to its last, or to its leave. */
  private record Presence(Instant since, Instant until) {}

  public Archivists(Access access) {
    this.access = access;
  }

  /** Takes a message about presence. */
  public void receive(PresenceMessage message) {
    Instant at = message.at();
    switch (message.event()) {
      case HEARTBEAT -> {
        if (access.isService(message.name())
            && message.envelope().payload().at("/detail/keeps").isTextual()) {
          instances.values().removeIf(each -> each.until().isBefore(at.minus(TIMEOUT)));
          instances.merge(
              message.instance(),
              new Presence(at, at),
              (before, now) -> new Presence(before.since(), at));
        }
      }
      case LEAVE ->
          instances.computeIfPresent(
              message.instance(), (instance, each) -> new Presence(each.since(), at));
      case JOIN, ROSTER, OTHER -> {}
    }
  }

  /** Whether one heard what was published at a time; known a heartbeat later. */
  public boolean heard(Instant published) {
    return instances.values().stream()
        .anyMatch(each -> !each.since().isAfter(published) && !each.until().isBefore(published));
  }
}
