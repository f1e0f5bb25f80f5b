package joshua.rogers.presence;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import joshua.conversation.PresenceMessage;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.rogers.presence.PresenceStatus.Cause;
import joshua.rogers.presence.PresenceStatus.State;
import org.jspecify.annotations.Nullable;

/**
 * The state of a participant, with all that it depends on. Its instances share it: a participant
 * has left when the last of them has. Owned by {@link Registry}.
 */
final class ParticipantState {
  private static final int MAX_INSTANCES = 16;
  private static final int MAX_INTERVAL_S = 86_400;

  /** The longest silence that a participant may announce. */
  private static final Duration MAX_BUSY = Duration.ofHours(1);

  private final String name;
  private final Instant connectedAt; // its first appearance
  private Instant lastHeard;
  private Instant statusSince;
  private @Nullable PresenceStatus status;

  /** A pause of Rogers resets silence, but doesn't bring anybody back: a message does. */
  private boolean heardSinceChange;

  private boolean hasBeaten;
  private @Nullable Instant leftAt;
  private @Nullable String leftReason;
  private boolean keepsQueue; // at its relay
  private @Nullable Instant busyUntil;
  private @Nullable Integer intervalS;
  private @Nullable String version;
  private @Nullable String relay;
  private String relayInstance = "";

  /** When each instance was last heard; the most recent one is at the end. */
  private final SequencedMap<String, Instant> instances = new LinkedHashMap<>();

  ParticipantState(String name, Instant at) {
    this.name = name;
    this.connectedAt = at;
    this.lastHeard = at;
    this.statusSince = at;
  }

  /** A row of {@code connections}; the two times as text are the design's. */
  record Row(
      String madId,
      State status,
      Cause cause,
      String why,
      String connectedAt,
      String lastHeartbeat,
      Instant sinceAt,
      boolean hasBeaten,
      @Nullable Instant leftAt,
      @Nullable String leftReason,
      @Nullable Instant busyUntilAt,
      @Nullable Integer intervalS,
      @Nullable String version,
      @Nullable String via,
      @Nullable String viaInstance,
      String instances) {}

  ParticipantState(Row row) {
    this(
        row.madId(),
        Objects.requireNonNullElse(Timestamps.parse(row.connectedAt()), row.sinceAt()));
    statusSince = row.sinceAt();
    lastHeard = Objects.requireNonNullElse(Timestamps.parse(row.lastHeartbeat()), row.sinceAt());
    status = new PresenceStatus(row.status(), row.cause());
    hasBeaten = row.hasBeaten();
    leftAt = row.leftAt();
    leftReason = row.leftReason();
    keepsQueue = row.cause() == Cause.AWAY;
    busyUntil = row.busyUntilAt();
    intervalS = row.intervalS();
    version = row.version();
    relay = row.via();
    relayInstance = Objects.requireNonNullElse(row.viaInstance(), "");
    for (JsonNode each : Json.parseTrusted(row.instances().getBytes(UTF_8))) {
      Instant beat = Timestamps.parse(each.path("last_beat_at").asText());
      instances.put(each.path("instance").asText(), beat == null ? lastHeard : beat);
    }
  }

  String name() {
    return name;
  }

  Instant lastHeard() {
    return lastHeard;
  }

  /** Whether an instance is present; without a name, any instance. */
  private boolean isPresent(String instance) {
    return instance.isEmpty() ? !is(State.DISCONNECTED) : instances.containsKey(instance);
  }

  boolean is(State state) {
    return status != null && status.state() == state;
  }

  /** Notes a message on any channel that isn't about presence. */
  void heard(Instant at) {
    if (leftAt == null ? is(State.DISCONNECTED) : at.isAfter(leftAt)) {
      // it goes on by itself: no relay will report that it leaves
      clearLeave();
      relay = null;
    }
    lastHeard(at);
  }

  private void lastHeard(Instant at) {
    heardSinceChange = true;
    if (at.isAfter(lastHeard) || at.isBefore(lastHeard.minus(SilenceClock.MAX_SKEW))) {
      lastHeard = at;
    }
  }

  private void clearLeave() {
    leftAt = null;
    leftReason = null;
  }

  void beat(PresenceMessage heartbeat) {
    Instant at = heartbeat.at();
    joined(heartbeat.instance(), at);
    hasBeaten = true;
    JsonNode payload = heartbeat.envelope().payload();
    JsonNode interval = payload.path("interval_s");
    boolean isValid =
        interval.canConvertToInt() && interval.asInt() > 0 && interval.asInt() <= MAX_INTERVAL_S;
    intervalS = isValid ? interval.asInt() : null;
    version = heartbeat.text("version").orElse(null);
    Instant until = Timestamps.parse(payload.path("busy_until").asText());
    Instant latest = at.plus(MAX_BUSY);
    busyUntil = until == null || until.isBefore(at) ? null : until.isAfter(latest) ? latest : until;
  }

  void joined(String instance, Instant at) {
    clearLeave();
    relay = null;
    instances.putLast(instance, at);
    if (instances.size() > MAX_INSTANCES) {
      instances.pollFirstEntry();
    }
    lastHeard(at);
  }

  /** Notes that a relay lists this as its client. */
  void listedBy(String by, String instance, Instant at) {
    clearLeave();
    relay = by;
    relayInstance = instance;
    lastHeard(at);
  }

  void left(String instance, String reason, boolean hasQueue, Instant at) {
    if (instance.isEmpty()) {
      instances.clear(); // the whole participant
    } else if (relay == null) {
      instances.remove(instance);
    }
    boolean sentAfter = lastHeard.isAfter(at) && lastHeard.isBefore(at.plus(SilenceClock.MAX_SKEW));
    if (relay != null || (instances.isEmpty() && !sentAfter)) {
      leftAt = at;
      leftReason = reason;
      keepsQueue = hasQueue;
    }
    lastHeard(at);
  }

  /** Computes the status; its relay is looked up in {@code all} participants. */
  PresenceStatus evaluate(SilenceClock clock, Map<String, ParticipantState> all) {
    Instant newest = instances.isEmpty() ? Instant.MIN : instances.lastEntry().getValue();
    instances // one that was killed doesn't count beside one that has taken its place
        .values()
        .removeIf(beat -> clock.isGone(beat) || (clock.isStale(beat) && !clock.isStale(newest)));
    ParticipantState by = relay == null ? null : all.get(relay);
    boolean hasRelay = by != null && by.isPresent(relayInstance);
    if (leftAt != null) {
      return new PresenceStatus(
          State.DISCONNECTED, keepsQueue && hasRelay ? Cause.AWAY : Cause.LEFT);
    }
    if (relay != null) {
      return hasRelay && !clock.isUnnamed(lastHeard)
          ? new PresenceStatus(State.HEALTHY, Cause.RELAY)
          : new PresenceStatus(State.DISCONNECTED, Cause.RELAY_GONE);
    }
    if (status != null && is(State.DISCONNECTED) && !heardSinceChange) {
      return status;
    }
    if (busyUntil != null && !clock.now().isAfter(busyUntil) && clock.isStale(lastHeard)) {
      return new PresenceStatus(hasBeaten ? State.HEALTHY : State.CONNECTED, Cause.BUSY);
    }
    if (clock.isGone(lastHeard)) {
      return new PresenceStatus(State.DISCONNECTED, Cause.SILENT);
    }
    if (clock.isStale(lastHeard) || (is(State.STALE) && !heardSinceChange)) {
      return new PresenceStatus(State.STALE, Cause.SILENT);
    }
    return hasBeaten
        ? new PresenceStatus(State.HEALTHY, Cause.BEATS)
        : new PresenceStatus(State.CONNECTED, Cause.HEARD);
  }

  /** Sets the status, and returns whether the state has changed. */
  boolean update(PresenceStatus now, Instant at) {
    boolean changes = !is(now.state());
    if (changes) {
      statusSince = at;
      heardSinceChange = false;
    }
    status = now;
    return changes;
  }

  @Nullable PresenceStatus status() {
    return status;
  }

  /** The reason of the state, as a sentence that begins with the state. */
  String why(SilenceClock clock) {
    PresenceStatus now = Objects.requireNonNull(status);
    String reason =
        switch (now.cause()) {
          case BEATS -> (clock.covers(lastHeard) ? "" : lately(clock) + ", ") + "beats" + every();
          case HEARD -> lately(clock) + ", has never sent a heartbeat";
          case BUSY ->
              "not heard since %s, said that it is busy until %s"
                  .formatted(Timestamps.format(lastHeard), Timestamps.format(until()));
          case RELAY -> "a client of " + relay;
          case SILENT -> silent(now.state(), clock);
          case LEFT -> "left at %s (%s)".formatted(Timestamps.format(until()), leftReason);
          case AWAY -> "%s; what is sent to it waits at %s".formatted(leftReason, relay);
          case RELAY_GONE -> "its relay %s is gone, or doesn't name it any more".formatted(relay);
        };
    String more = instances.size() > 1 ? "; %d instances".formatted(instances.size()) : "";
    return "%s: %s%s".formatted(now.word(), reason, more);
  }

  private Instant until() {
    return Objects.requireNonNullElse(leftAt == null ? busyUntil : leftAt, statusSince);
  }

  private String lately(SilenceClock clock) {
    return clock.covers(lastHeard)
        ? "heard within %d s".formatted(clock.thresholds().staleAfter().toSeconds())
        : "not heard since %s, but silence counts only since %s"
            .formatted(Timestamps.format(lastHeard), Timestamps.format(clock.since()));
  }

  private String silent(State state, SilenceClock clock) {
    if (state == State.DISCONNECTED) {
      return "silent for more than %d s, last heard at %s"
          .formatted(
              clock.thresholds().disconnectedAfter().toSeconds(), Timestamps.format(lastHeard));
    }
    return "silent for %d s%s, %s"
        .formatted(
            clock.silence(lastHeard).toSeconds(),
            clock.covers(lastHeard) ? "" : " since Rogers is back",
            hasBeaten ? "expected a heartbeat" + every() : "has never sent a heartbeat");
  }

  private String every() {
    return intervalS == null ? "" : " every %d s".formatted(intervalS);
  }

  /** The row to be stored. */
  Row row(SilenceClock clock) {
    PresenceStatus now = Objects.requireNonNull(status);
    ArrayNode beats = Json.mapper().createArrayNode();
    instances.forEach((instance, beat) ->
        beats.addObject().put("instance", instance).put("last_beat_at", Timestamps.format(beat)));
    return new Row(
        name,
        now.state(),
        now.cause(),
        why(clock),
        Timestamps.format(connectedAt),
        Timestamps.format(lastHeard),
        statusSince,
        hasBeaten,
        leftAt,
        leftReason,
        busyUntil,
        intervalS,
        version,
        relay,
        relay == null ? null : relayInstance,
        beats.toString());
  }
}
