package joshua.rogers.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.rogers.presence.ConnectionState.Event;

/**
 * One instance of a participant: its state, and all that the state depends on (REQ-RG-14).
 *
 * @param instance the name it uses for itself; empty if it uses none
 * @param lastHeard when its last message of any kind arrived
 * @param beat its newest heartbeat
 * @param left the reason that it stated when it left
 */
record InstanceState(
    String instance,
    ConnectionState state,
    Instant lastHeard,
    Optional<HeartbeatReport> beat,
    Optional<String> left) {

  /** An instance first heard through a message. */
  static InstanceState heardFirst(String instance, Instant at) {
    return new InstanceState(
        instance, ConnectionState.CONNECTED, at, Optional.empty(), Optional.empty());
  }

  /** A message of any kind. */
  InstanceState heard(Instant at) {
    return new InstanceState(
        instance,
        state.after(beat.isPresent() ? Event.LIVE : Event.SPEAK),
        at,
        beat,
        Optional.empty());
  }

  InstanceState beat(HeartbeatReport newest, Instant at) {
    return new InstanceState(
        instance, state.after(Event.LIVE), at, Optional.of(newest), Optional.empty());
  }

  InstanceState leave(String reason, Instant at) {
    return new InstanceState(instance, state.after(Event.LEAVE), at, beat, Optional.of(reason));
  }

  /** The same instance, under the name that it has since stated. */
  InstanceState called(String name) {
    return new InstanceState(name, state, lastHeard, beat, left);
  }

  /** The instance after timeouts are applied. */
  InstanceState at(Instant now, ObservationWindow observationWindow) {
    if (state == ConnectionState.DISCONNECTED || isBusy(now)) {
      return this;
    }
    Duration silence = observationWindow.silence(lastHeard, now);
    if (silence.compareTo(observationWindow.thresholds().disconnectedAfter()) > 0) {
      return after(Event.VANISH);
    }
    return state != ConnectionState.STALE
            && silence.compareTo(observationWindow.thresholds().staleAfter(beat)) > 0
        ? after(Event.FALL_SILENT)
        : this;
  }

  private InstanceState after(Event event) {
    return new InstanceState(instance, state.after(event), lastHeard, beat, left);
  }

  private boolean isBusy(Instant now) {
    return beat.filter(newest -> newest.isBusy(now)).isPresent();
  }

  /** Why it is in its state, as a sentence that begins with the state. */
  String why(Instant now, ObservationWindow observationWindow) {
    return state.word()
        + ": "
        + switch (state) {
          case CONNECTED -> lately(now, observationWindow) + ", has never sent a heartbeat";
          case HEALTHY ->
              lately(now, observationWindow)
                  + (isLate(now, observationWindow) ? "" : ", " + rhythm());
          case STALE ->
              "silent for %d s%s, %s"
                  .formatted(
                      observationWindow.silence(lastHeard, now).toSeconds(),
                      observationWindow.since().isAfter(lastHeard) ? " since Rogers is back" : "",
                      beat.isPresent() ? expectation() : "has never sent a heartbeat");
          case DISCONNECTED ->
              left.map(reason ->
                      "left at %s (%s)".formatted(EnvelopeCodec.timestamp(lastHeard), reason))
                  .orElseGet(() ->
                      "silent for more than %d s, last heard at %s"
                          .formatted(
                              observationWindow.thresholds().disconnectedAfter().toSeconds(),
                              EnvelopeCodec.timestamp(lastHeard)));
        };
  }

  private boolean isLate(Instant now, ObservationWindow observationWindow) {
    return Duration.between(lastHeard, now)
            .compareTo(observationWindow.thresholds().staleAfter(beat))
        > 0;
  }

  private String lately(Instant now, ObservationWindow observationWindow) {
    if (!isLate(now, observationWindow)) {
      return "heard within %d s"
          .formatted(observationWindow.thresholds().staleAfter(beat).toSeconds());
    }
    String lastTime = "not heard since " + EnvelopeCodec.timestamp(lastHeard);
    return isBusy(now)
        ? "%s, said that it is busy until %s"
            .formatted(
                lastTime,
                EnvelopeCodec.timestamp(beat.flatMap(HeartbeatReport::busyUntil).orElse(now)))
        : "%s, but Rogers counts silence only since %s"
            .formatted(lastTime, EnvelopeCodec.timestamp(observationWindow.since()));
  }

  private String expectation() {
    return "expected a heartbeat" + every();
  }

  private String rhythm() {
    return beat.flatMap(HeartbeatReport::interval).isPresent()
        ? "beats" + every()
        : "has beaten" + every();
  }

  private String every() {
    return beat.flatMap(HeartbeatReport::interval)
            .map(interval -> " every %d s".formatted(interval.toSeconds()))
            .orElse("")
        + beat.flatMap(HeartbeatReport::via).map(relay -> " through " + relay).orElse("");
  }
}
