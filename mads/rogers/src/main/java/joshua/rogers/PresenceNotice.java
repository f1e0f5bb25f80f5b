package joshua.rogers;

import java.time.Instant;

/**
 * What was heard of a participant: mostly what it says of itself, that it is alive, comes or goes
 * (wire contract §2). Of one that doesn't say which instance it is, that is empty.
 */
sealed interface PresenceNotice {
  String name();

  Instant at();

  /** Any other message. */
  record Spoken(String name, Instant at) implements PresenceNotice {}

  /** A heartbeat. */
  record Beaten(String name, String instance, HeartbeatReport beat, Instant at)
      implements PresenceNotice {}

  /** A {@code join}. */
  record Joined(String name, String instance, Instant at) implements PresenceNotice {}

  /** A {@code leave}. */
  record Left(String name, String instance, String reason, Instant at) implements PresenceNotice {}
}
