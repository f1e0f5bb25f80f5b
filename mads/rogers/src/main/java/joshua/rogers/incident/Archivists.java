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
  private static final Duration NEXT_WITHIN = Duration.ofSeconds(30); // as long as others wait

  private final Access access;
  private final Map<String, Presence> instances = new HashMap<>();

  /** From an archivist's first heartbeat to its last, or to its leave. */
  private record Presence(Instant since, Instant until, boolean left) {
    boolean covers(Instant time) {
      return !since.isAfter(time) && !until.isBefore(time);
    }

    /** Whether its next heartbeat will tell of a time after the last one. */
    boolean mayCover(Instant time, Instant now) {
      return !left && until.isBefore(time) && until.plus(NEXT_WITHIN).isAfter(now);
    }
  }

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
              new Presence(at, at, false),
              (before, now) -> new Presence(before.since(), at, false));
        }
      }
      case LEAVE ->
          instances.computeIfPresent(
              message.instance(), (instance, each) -> new Presence(each.since(), at, true));
      case JOIN, ROSTER, OTHER -> {}
    }
  }

  /** Whether one heard what was published at a time; known when it beats for the next time. */
  boolean heard(Instant published) {
    return instances.values().stream().anyMatch(each -> each.covers(published));
  }

  /** Whether that isn't known yet. */
  boolean mayHaveHeard(Instant published, Instant now) {
    return !heard(published)
        && instances.values().stream().anyMatch(each -> each.mayCover(published, now));
  }
}
