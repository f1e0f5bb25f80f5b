package joshua.rogers.presence;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.kernel.UnicodeText;
import joshua.rogers.presence.Standing.Cause;
import joshua.rogers.presence.Standing.State;
import org.jspecify.annotations.Nullable;

/**
 * A name that was heard on the bus, and all that its state depends on. Its instances share the
 * state: it has left when the last of them has. Owned by {@link Registry}.
 */
final class Participant {
  private static final int MOST_INSTANCES = 16;
  private static final int LONGEST_WORD = 64;
  private static final int DAY_S = 86_400;

  /** The longest silence that is excused beforehand. */
  private static final Duration BUSY_AT_MOST = Duration.ofHours(1);

  private final String name;
  private final Instant connectedAt; // its first appearance
  private Instant lastHeard;
  private Instant statusSince;
  private @Nullable Standing standing;

  /** Silence that isn't counted any more, after a pause, brings nobody back: a message does. */
  private boolean heardInState;

  private boolean hasBeaten;
  private @Nullable Instant leftAt;
  private @Nullable String leftReason;
  private boolean keepsQueue; // at its relay
  private @Nullable Instant busyUntil;
  private @Nullable Integer intervalS;
  private @Nullable String version;
  private @Nullable String relay;
  private String relayInstance = "";

  /** When each of its instances was last heard; the one heard last is at the end. */
  private final SequencedMap<String, Instant> instances = new LinkedHashMap<>();

  Participant(String name, Instant at) {
    this.name = name;
    this.connectedAt = at;
    this.lastHeard = at;
    this.statusSince = at;
  }

  /** A row of {@code connections}; times are milliseconds, but for the two that the design has. */
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

  Participant(Row row) {
    this(
        row.madId(),
        Objects.requireNonNullElse(Timestamps.parse(row.connectedAt()), row.sinceAt()));
    statusSince = row.sinceAt();
    lastHeard = Objects.requireNonNullElse(Timestamps.parse(row.lastHeartbeat()), row.sinceAt());
    standing = new Standing(row.status(), row.cause());
    hasBeaten = row.hasBeaten();
    leftAt = row.leftAt();
    leftReason = row.leftReason();
    keepsQueue = row.cause() == Cause.AWAY;
    busyUntil = row.busyUntilAt();
    intervalS = row.intervalS();
    version = row.version();
    relay = row.via();
    relayInstance = Objects.requireNonNullElse(row.viaInstance(), "");
    for (JsonNode each : Json.parseOwn(row.instances().getBytes(UTF_8))) {
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

  /** Whether one of its instances is there: that one, or any if it has no name. */
  private boolean isThere(String instance) {
    return instance.isEmpty() ? !is(State.DISCONNECTED) : instances.containsKey(instance);
  }

  boolean is(State state) {
    return standing != null && standing.state() == state;
  }

  /** It has sent something, on whatever channel. */
  void heard(Instant at) {
    if (leftAt == null ? is(State.DISCONNECTED) : at.isAfter(leftAt)) {
      // It goes on by itself: no relay will say that it leaves.
      back();
      relay = null;
    }
    lastHeard(at);
  }

  private void lastHeard(Instant at) {
    heardInState = true;
    if (at.isAfter(lastHeard) || at.isBefore(lastHeard.minus(Observation.SET_BACK))) {
      lastHeard = at;
    }
  }

  private void back() {
    leftAt = null;
    leftReason = null;
  }

  void beat(String instance, JsonNode heartbeat, Instant at) {
    joined(instance, at);
    hasBeaten = true;
    JsonNode interval = heartbeat.path("interval_s");
    boolean isUsual =
        interval.canConvertToInt() && interval.asInt() > 0 && interval.asInt() <= DAY_S;
    intervalS = isUsual ? interval.asInt() : null;
    version = word(heartbeat.path("version")).orElse(null);
    Instant until = Timestamps.parse(heartbeat.path("busy_until").asText());
    Instant latest = at.plus(BUSY_AT_MOST);
    busyUntil = until == null || until.isBefore(at) ? null : until.isAfter(latest) ? latest : until;
  }

  /** A short text of somebody else, without characters that steer a terminal. */
  static Optional<String> word(JsonNode text) {
    return Optional.ofNullable(text.textValue())
        .filter(said -> !said.isEmpty())
        .map(said -> UnicodeText.beginning(said.replaceAll("\\p{C}", " "), LONGEST_WORD));
  }

  void joined(String instance, Instant at) {
    back();
    relay = null;
    instances.putLast(instance, at);
    if (instances.size() > MOST_INSTANCES) {
      instances.pollFirstEntry();
    }
    lastHeard(at);
  }

  /** A relay says that this is a client of it. */
  void named(String by, String instance, Instant at) {
    back();
    relay = by;
    relayInstance = instance;
    lastHeard(at);
  }

  void left(String instance, String reason, boolean hasQueue, Instant at) {
    if (instance.isEmpty()) {
      instances.clear(); // all of it
    } else if (relay == null) {
      instances.remove(instance);
    }
    boolean wentOn = lastHeard.isAfter(at) && lastHeard.isBefore(at.plus(Observation.SET_BACK));
    if (relay != null || (instances.isEmpty() && !wentOn)) {
      leftAt = at;
      leftReason = reason;
      keepsQueue = hasQueue;
    }
    lastHeard(at);
  }

  /** How it stands; its relay is among {@code all} who are known. */
  Standing at(Observation when, Map<String, Participant> all) {
    instances.values().removeIf(when::isGone);
    Participant by = relay == null ? null : all.get(relay);
    boolean hasRelay = by != null && by.isThere(relayInstance);
    if (leftAt != null) {
      return new Standing(State.DISCONNECTED, keepsQueue && hasRelay ? Cause.AWAY : Cause.LEFT);
    }
    if (relay != null) {
      return hasRelay && !when.isUnnamed(lastHeard)
          ? new Standing(State.HEALTHY, Cause.RELAY)
          : new Standing(State.DISCONNECTED, Cause.RELAY_GONE);
    }
    if (standing != null && is(State.DISCONNECTED) && !heardInState) {
      return standing;
    }
    if (busyUntil != null && !when.now().isAfter(busyUntil) && when.isStale(lastHeard)) {
      return new Standing(hasBeaten ? State.HEALTHY : State.CONNECTED, Cause.BUSY);
    }
    if (when.isGone(lastHeard)) {
      return new Standing(State.DISCONNECTED, Cause.SILENT);
    }
    if (when.isStale(lastHeard) || (is(State.STALE) && !heardInState)) {
      return new Standing(State.STALE, Cause.SILENT);
    }
    return hasBeaten
        ? new Standing(State.HEALTHY, Cause.BEATS)
        : new Standing(State.CONNECTED, Cause.HEARD);
  }

  /** Takes a state, and says whether it is another than before. */
  boolean become(Standing now, Instant at) {
    boolean changes = !is(now.state());
    if (changes) {
      statusSince = at;
      heardInState = false;
    }
    standing = now;
    return changes;
  }

  @Nullable Standing standing() {
    return standing;
  }

  /** Why it is in its state, as a sentence that begins with the state. */
  String why(Observation when) {
    Standing now = Objects.requireNonNull(standing);
    String reason =
        switch (now.cause()) {
          case BEATS -> lately(when) + ", beats" + every();
          case HEARD -> lately(when) + ", has never sent a heartbeat";
          case BUSY ->
              "not heard since %s, said that it is busy until %s"
                  .formatted(Timestamps.format(lastHeard), Timestamps.format(until()));
          case RELAY -> "a client of " + relay;
          case SILENT -> silent(now.state(), when);
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

  private String lately(Observation when) {
    return when.counts(lastHeard)
        ? "heard within %d s".formatted(when.thresholds().staleAfter().toSeconds())
        : "not heard since %s, but silence counts only since %s"
            .formatted(Timestamps.format(lastHeard), Timestamps.format(when.since()));
  }

  private String silent(State state, Observation when) {
    if (state == State.DISCONNECTED) {
      return "silent for more than %d s, last heard at %s"
          .formatted(
              when.thresholds().disconnectedAfter().toSeconds(), Timestamps.format(lastHeard));
    }
    return "silent for %d s%s, %s"
        .formatted(
            when.silence(lastHeard).toSeconds(),
            when.counts(lastHeard) ? "" : " since Rogers is back",
            hasBeaten ? "expected a heartbeat" + every() : "has never sent a heartbeat");
  }

  private String every() {
    return intervalS == null ? "" : " every %d s".formatted(intervalS);
  }

  /** As it is stored. */
  Row row(Observation when) {
    Standing now = Objects.requireNonNull(standing);
    ArrayNode beats = Json.mapper().createArrayNode();
    instances.forEach((instance, beat) ->
        beats.addObject().put("instance", instance).put("last_beat_at", Timestamps.format(beat)));
    return new Row(
        name,
        now.state(),
        now.cause(),
        why(when),
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
