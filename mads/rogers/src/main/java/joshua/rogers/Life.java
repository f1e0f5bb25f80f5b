package joshua.rogers;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.rogers.ConnectionState.Event;

/**
 * One instance of a participant: its state, and all that this rests on (REQ-RG-14).
 *
 * @param instance as it calls itself; empty for one that doesn't
 * @param lastHeard when its last message came, of any kind
 * @param beat its newest heartbeat
 * @param left the reason that it gave when it left
 */
record Life(
    String instance,
    ConnectionState state,
    Instant lastHeard,
    Optional<Beat> beat,
    Optional<String> left) {

  /** Begins with a message. */
  static Life heardFirst(String instance, Instant at) {
    return new Life(instance, ConnectionState.CONNECTED, at, Optional.empty(), Optional.empty());
  }

  /** A message of any kind. */
  Life heard(Instant at) {
    return new Life(
        instance,
        state.after(beat.isPresent() ? Event.LIVE : Event.SPEAK),
        at,
        beat,
        Optional.empty());
  }

  Life beat(Beat newest, Instant at) {
    return new Life(instance, state.after(Event.LIVE), at, Optional.of(newest), Optional.empty());
  }

  Life leave(String reason, Instant at) {
    return new Life(instance, state.after(Event.LEAVE), at, beat, Optional.of(reason));
  }

  /** The same under the name that it has given by now. */
  Life called(String name) {
    return new Life(name, state, lastHeard, beat, left);
  }

  /** What time has made of it. */
  Life at(Instant now, Vigil vigil) {
    if (state == ConnectionState.DISCONNECTED || isBusy(now)) {
      return this;
    }
    Duration silence = vigil.silence(lastHeard, now);
    if (silence.compareTo(vigil.thresholds().disconnectedAfter()) > 0) {
      return after(Event.VANISH);
    }
    return state != ConnectionState.STALE
            && silence.compareTo(vigil.thresholds().staleAfter(beat)) > 0
        ? after(Event.FALL_SILENT)
        : this;
  }

  private Life after(Event event) {
    return new Life(instance, state.after(event), lastHeard, beat, left);
  }

  private boolean isBusy(Instant now) {
    return beat.filter(newest -> newest.isBusy(now)).isPresent();
  }

  /** Why it is in its state, as a sentence that begins with the state. */
  String why(Instant now, Vigil vigil) {
    return state.word()
        + ": "
        + switch (state) {
          case CONNECTED -> lately(now, vigil) + ", has never sent a heartbeat";
          case HEALTHY -> lately(now, vigil) + (isLate(now, vigil) ? "" : ", " + rhythm());
          case STALE ->
              "silent for %d s%s, %s"
                  .formatted(
                      vigil.silence(lastHeard, now).toSeconds(),
                      vigil.since().isAfter(lastHeard) ? " since Rogers is back" : "",
                      beat.isPresent() ? expectation() : "has never sent a heartbeat");
          case DISCONNECTED ->
              left.map(reason ->
                      "left at %s (%s)".formatted(EnvelopeCodec.timestamp(lastHeard), reason))
                  .orElseGet(() ->
                      "silent for more than %d s, last heard at %s"
                          .formatted(
                              vigil.thresholds().disconnectedAfter().toSeconds(),
                              EnvelopeCodec.timestamp(lastHeard)));
        };
  }

  private boolean isLate(Instant now, Vigil vigil) {
    return Duration.between(lastHeard, now).compareTo(vigil.thresholds().staleAfter(beat)) > 0;
  }

  private String lately(Instant now, Vigil vigil) {
    if (!isLate(now, vigil)) {
      return "heard within %d s".formatted(vigil.thresholds().staleAfter(beat).toSeconds());
    }
    String lastTime = "not heard since " + EnvelopeCodec.timestamp(lastHeard);
    return isBusy(now)
        ? "%s, said that it is busy until %s"
            .formatted(lastTime, EnvelopeCodec.timestamp(beat.flatMap(Beat::busyUntil).orElse(now)))
        : "%s, but Rogers counts silence only since %s"
            .formatted(lastTime, EnvelopeCodec.timestamp(vigil.since()));
  }

  private String expectation() {
    return "expected a heartbeat" + every();
  }

  private String rhythm() {
    return beat.flatMap(Beat::interval).isPresent() ? "beats" + every() : "has beaten" + every();
  }

  private String every() {
    return beat.flatMap(Beat::interval)
            .map(interval -> " every %d s".formatted(interval.toSeconds()))
            .orElse("")
        + beat.flatMap(Beat::via).map(relay -> " through " + relay).orElse("");
  }
}
