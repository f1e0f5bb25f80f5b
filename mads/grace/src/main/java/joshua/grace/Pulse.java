package joshua.grace;

import java.time.Duration;
import java.time.Instant;

/**
 * Whether a client is there, told from its calls (wire contract §2): present from its first one on,
 * until it has made none for {@link #ABSENT_AFTER}. Guarded by the lock of {@link ClientQueues}.
 */
final class Pulse {
  static final Duration ABSENT_AFTER = Duration.ofMinutes(2);
  static final Duration BEAT_EVERY = Duration.ofSeconds(30);

  private Instant lastCall;
  private Instant lastBeat;
  private boolean present;

  Pulse(Instant now) {
    this.lastCall = now;
    this.lastBeat = now;
  }

  /**
   * Notes a call.
   *
   * @return whether the client has come with it: a {@code join} is due
   */
  boolean called(Instant now) {
    lastCall = now;
    boolean came = !present;
    present = true;
    if (came) {
      lastBeat = now;
    }
    return came;
  }

  Instant lastCall() {
    return lastCall;
  }

  boolean isPresent() {
    return present;
  }

  boolean isAbsentSince(Instant now) {
    return present && lastCall.plus(ABSENT_AFTER).isBefore(now);
  }

  void left() {
    present = false;
  }

  boolean isBeatDue(Instant now) {
    return present && !lastBeat.plus(BEAT_EVERY).isAfter(now);
  }

  Instant lastBeat() {
    return lastBeat;
  }

  void beat(Instant now) {
    lastBeat = now;
  }
}
