package joshua.rogers.presence;

import java.time.Instant;

/**
 * What was heard from a participant: mostly what it says about itself, that it is alive, joins or
 * leaves (wire contract §2). The instance is empty for one that doesn't state it.
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
