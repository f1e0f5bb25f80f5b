package joshua.rogers.presence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import joshua.conversation.PresenceMessage;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.rogers.count.TrafficCount;
import joshua.rogers.presence.Registry.Delta;
import joshua.rogers.presence.Registry.StatusChange;
import joshua.rogers.presence.Registry.Thresholds;
import joshua.testing.RawEnvelope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The states of the contract (§2), second by second. */
class RegistryTest {
  private static final Instant START = Instant.parse("2026-11-27T14:00:00Z");

  private Registry registry = new Registry(Thresholds.DEFAULT, List.of(), START);
  private Instant now = START;
  private final List<TrafficCount> counts = new ArrayList<>();
  private final List<PresenceMessage> messages = new ArrayList<>();
  private final Map<String, ParticipantState.Row> rows = new HashMap<>();
  private final List<String> changes = new ArrayList<>();

  private void sends(String name) {
    counts.add(new TrafficCount(START, name, "mad.topic.x", Channel.Kind.TOPIC, 1, 1, now));
  }

  private void beats(String name, String instance) {
    beats(name, instance, null);
  }

  private void beats(String name, String instance, @Nullable Instant busyUntil) {
    ObjectNode payload = payload("status", "HEALTHY", instance).put("interval_s", 10);
    says(name, Channel.HEARTBEAT, payload.put("busy_until", Objects.toString(busyUntil)));
  }

  private void joins(String name, String relay, String instance) {
    says(name, Channel.PRESENCE, payload("event", "join", instance).put("via", relay));
  }

  private void leaves(String name, String instance, String reason) {
    says(name, Channel.PRESENCE, payload("event", "leave", instance).put("reason", reason));
  }

  private void leaves(String name, String instance) {
    leaves(name, instance, "stopped");
  }

  private static ObjectNode payload(String member, String value, String instance) {
    return Json.object().put(member, value).put("instance", instance);
  }

  private void says(String name, Channel channel, ObjectNode payload) {
    String json = RawEnvelope.on(channel.name()).from(name).payload(payload.toString()).json();
    Envelope envelope = EnvelopeCodec.tryDecode(channel.name(), json.getBytes(UTF_8)).orElseThrow();
    messages.add(new PresenceMessage(envelope, now));
  }

  /** Evaluates the registry, and lets a second pass. */
  private void evaluate() {
    registry.receive(counts, messages, now);
    counts.clear();
    messages.clear();
    Delta delta = registry.evaluate(now);
    delta.rows().forEach(row -> rows.put(row.madId(), row));
    delta.forgotten().forEach(rows::remove);
    for (StatusChange change : delta.changes()) {
      changes.add("%s %s".formatted(change.name(), change.status().state()));
    }
    registry.clearDelta();
    now = now.plusSeconds(1);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      evaluate();
    }
  }

  private void passWhileItBeats(int seconds, String name, String instance) {
    for (int i = 0; i < seconds; i++) {
      if (now.getEpochSecond() % 10 == 0) {
        beats(name, instance);
      }
      evaluate();
    }
  }

  private String status(String name) {
    ParticipantState.Row row = rows.get(name);
    return row == null ? "unknown" : "%s %s".formatted(row.status(), row.cause().word());
  }

  private String statusAfter(int seconds, String name) {
    pass(seconds);
    return status(name);
  }

  private String why(String name) {
    return rows.get(name).why();
  }

  @Test
  void whoFallsSilentIsStaleAndThenGoneAndComesBackWithItsNextMessage() {
    beats("bob", "b1");
    assertThat(statusAfter(31, "bob")).isEqualTo("HEALTHY beats");
    assertThat(why("bob")).isEqualTo("healthy: beats every 10 s");
    assertThat(statusAfter(1, "bob")).isEqualTo("STALE silent");
    pass(10);
    assertThat(why("bob")).isEqualTo("stale: silent for 41 s, expected a heartbeat every 10 s");
    assertThat(statusAfter(79, "bob")).isEqualTo("STALE silent");
    assertThat(statusAfter(1, "bob")).isEqualTo("DISCONNECTED silent");
    assertThat(why("bob"))
        .isEqualTo(
            "disconnected: silent for more than 120 s, last heard at 2026-11-27T14:00:00.000Z");
    sends("bob");
    assertThat(statusAfter(1, "bob")).isEqualTo("HEALTHY beats");
    assertThat(rows.get("bob").connectedAt()).as("first").isEqualTo(Timestamps.format(START));
    assertThat(changes)
        .containsExactly("bob HEALTHY", "bob STALE", "bob DISCONNECTED", "bob HEALTHY");
  }

  @Test
  void whoNeverBeatsIsConnectedAndWhoBeatsIsNeverStale() {
    sends("ann");
    passWhileItBeats(300, "bob", "b1");
    assertThat(changes)
        .containsExactlyInAnyOrder("ann CONNECTED", "ann STALE", "ann DISCONNECTED", "bob HEALTHY");
    assertThat(why("ann")).startsWith("disconnected: silent for more than 120 s");
  }

  @Test
  void aLeaveEndsAnInstanceAndTheLastOneTheParticipant() {
    beats("bob", "b1");
    beats("bob", "b2");
    evaluate();
    assertThat(why("bob")).endsWith("; 2 instances");
    leaves("bob", "b1");
    assertThat(statusAfter(1, "bob")).isEqualTo("HEALTHY beats");
    leaves("bob", "b2");
    assertThat(statusAfter(1, "bob")).isEqualTo("DISCONNECTED left");
    assertThat(why("bob")).isEqualTo("disconnected: left at 2026-11-27T14:00:02.000Z (stopped)");
    sends("bob");
    assertThat(statusAfter(1, "bob")).isEqualTo("HEALTHY beats");
  }

  @Test
  void oneThatWasKilledDoesNotCountBesideOneThatHasTakenItsPlace() {
    beats("grace", "a1");
    passWhileItBeats(29, "grace", "a2");
    assertThat(why("grace")).endsWith("; 2 instances");
    passWhileItBeats(12, "grace", "a2");
    assertThat(why("grace")).endsWith("beats every 10 s");
  }

  @Test
  void aLeaveWithoutAnInstanceEndsThemAll() {
    beats("bob", "b1");
    beats("bob", "b2");
    evaluate();
    leaves("bob", "");
    assertThat(statusAfter(1, "bob")).isEqualTo("DISCONNECTED left");
  }

  @Test
  void whatIsSentAfterALeaveCounts() {
    beats("bob", "b1");
    evaluate();
    leaves("bob", "b1");
    now = now.plusMillis(5);
    sends("bob");
    assertThat(statusAfter(1, "bob")).isEqualTo("HEALTHY beats");
  }

  @Test
  void itMaySayBeforeThatItWillBeBusy() {
    beats("bob", "b1", now.plusSeconds(200));
    assertThat(statusAfter(201, "bob")).isEqualTo("HEALTHY busy");
    assertThat(why("bob"))
        .isEqualTo(
            "healthy: not heard since 2026-11-27T14:00:00.000Z,"
                + " said that it is busy until 2026-11-27T14:03:20.000Z");
    assertThat(statusAfter(1, "bob")).isEqualTo("DISCONNECTED silent");
  }

  @Test
  void aClientIsAsAliveAsItsRelay() {
    beats("grace", "g1");
    joins("ann", "grace", "g1");
    passWhileItBeats(500, "grace", "g1");
    assertThat(status("ann")).isEqualTo("HEALTHY relay");
    assertThat(why("ann")).isEqualTo("healthy: a client of grace");
    assertThat(statusAfter(130, "grace")).isEqualTo("DISCONNECTED silent");
    assertThat(status("ann")).isEqualTo("DISCONNECTED relay_gone");
    beats("grace", "g1"); // it had only slept
    assertThat(statusAfter(2, "ann")).isEqualTo("HEALTHY relay");
    leaves("ann", "g1", "socket closed");
    evaluate();
    assertThat(why("ann")).startsWith("disconnected: left at ").endsWith("(socket closed)");
  }

  @Test
  void aClientWhoseRelayKeepsItsQueueIsAwayUntilThatGoes() {
    beats("grace", "g1");
    joins("ann", "grace", "g1");
    joins("bob", "grace", "g1");
    evaluate();
    for (String name : List.of("ann", "bob")) {
      ObjectNode leave = payload("event", "leave", "g1").put("reason", "no call for 120 s");
      says(name, Channel.PRESENCE, leave.put("away", true));
    }
    assertThat(statusAfter(1, "ann")).isEqualTo("DISCONNECTED away");
    assertThat(why("ann")).isEqualTo("away: no call for 120 s; what is sent to it waits at grace");
    passWhileItBeats(500, "grace", "g1");
    registry = new Registry(Thresholds.DEFAULT, List.copyOf(rows.values()), now);
    beats("grace", "g1");
    assertThat(statusAfter(1, "ann")).as("Rogers was started anew").isEqualTo("DISCONNECTED away");
    leaves("ann", "g1", "dropped by an administrator");
    assertThat(statusAfter(1, "ann")).isEqualTo("DISCONNECTED left");
    assertThat(status("bob")).isEqualTo("DISCONNECTED away");
    leaves("grace", "g1");
    assertThat(statusAfter(1, "bob"))
        .as("its queue has gone with the relay")
        .isEqualTo("DISCONNECTED left");
  }

  @Test
  void clientsOfARelayThatWasStartedAnewAreGone() {
    beats("grace", "g1");
    joins("ann", "grace", "g1");
    evaluate();
    leaves("grace", "g1");
    says("grace", Channel.PRESENCE, payload("event", "join", "g2"));
    joins("bob", "grace", "g2");
    assertThat(statusAfter(2, "ann")).isEqualTo("DISCONNECTED relay_gone");
    assertThat(status("bob")).isEqualTo("HEALTHY relay");
    sends("ann"); // by itself, so silence counts from now on
    assertThat(statusAfter(1, "ann")).isEqualTo("CONNECTED heard");
    assertThat(why("ann")).endsWith(", has never sent a heartbeat");
  }

  @Test
  void aRosterTellsARestartedRogersWhoIsThere() {
    beats("grace", "g1");
    joins("ann", "grace", "g1");
    joins("bob", "grace", "g1");
    evaluate();
    now = now.plusSeconds(600);
    registry = new Registry(Thresholds.DEFAULT, List.copyOf(rows.values()), now);
    assertThat(rows).hasSize(3);
    beats("grace", "g1");
    ObjectNode roster = payload("event", "roster", "g1");
    roster.putArray("clients").add("ann").add("carl").add(7);
    says("grace", Channel.PRESENCE, roster);
    evaluate();
    assertThat(List.of(status("ann"), status("bob"), status("carl"))).containsOnly("HEALTHY relay");
    passWhileItBeats(31, "grace", "g1");
    assertThat(status("ann")).isEqualTo("HEALTHY relay");
    assertThat(status("bob")).isEqualTo("DISCONNECTED relay_gone");
  }

  @Test
  void silenceDoesNotCountWhileRogersSleepsOrIsAway() {
    beats("bob", "b1");
    pass(25);
    sends("ann");
    evaluate();
    now = now.plusSeconds(135); // the laptop was closed
    assertThat(statusAfter(25, "bob")).isEqualTo("HEALTHY beats");
    assertThat(status("ann")).isEqualTo("CONNECTED heard");
    assertThat(statusAfter(7, "bob")).isEqualTo("STALE silent");
    assertThat(why("bob"))
        .matches("stale: silent for \\d+ s since Rogers is back, expected a heartbeat every 10 s");
    registry.resubscribed(now);
    assertThat(statusAfter(25, "bob")).as("nothing was heard of it").isEqualTo("STALE silent");
    beats("bob", "b1");
    assertThat(statusAfter(1, "bob")).isEqualTo("HEALTHY beats");
  }

  @Test
  void aClockThatIsSetBackMakesNobodySilentNorKeepsAnybodyAlive() {
    beats("bob", "b1");
    sends("ann");
    evaluate();
    now = now.minusSeconds(7_200);
    beats("bob", "b1");
    passWhileItBeats(200, "bob", "b1");
    assertThat(status("bob")).isEqualTo("HEALTHY beats");
    assertThat(status("ann")).isEqualTo("DISCONNECTED silent");
  }

  @Test
  void aRestartBringsNobodyBack() {
    beats("bob", "b1");
    beats("carl", "c1");
    assertThat(statusAfter(130, "bob")).isEqualTo("DISCONNECTED silent");
    beats("carl", "c1");
    evaluate();
    registry = new Registry(Thresholds.DEFAULT, List.copyOf(rows.values()), now);
    assertThat(statusAfter(2, "bob")).isEqualTo("DISCONNECTED silent");
    assertThat(status("carl")).isEqualTo("HEALTHY beats");
    assertThat(statusAfter(30, "carl")).isEqualTo("STALE silent");
  }

  @Test
  void whoIsGoneForAWeekIsForgotten() {
    sends("ann");
    assertThat(statusAfter(200, "ann")).isEqualTo("DISCONNECTED silent");
    now = now.plus(Duration.ofDays(7));
    evaluate();
    assertThat(rows).isEmpty();
  }

  /** Names are cheap to make up: they take no places from those who beat, nor from newcomers. */
  @Test
  void newNamesTakeThePlacesOfThoseWhoNeverBeat() {
    beats("steady", "s");
    for (int i = 0; i < 20_000; i++) {
      sends("invented-" + i);
    }
    evaluate();
    sends("new");
    evaluate();
    assertThat(rows).containsKeys("steady", "new");
    assertThat(registry.isFull()).isFalse();
  }

  @Test
  void newNamesTakeThePlacesOfThoseGoneLongest() {
    for (int i = 0; i < 20_000; i++) {
      sends("old-" + i);
      if (i == 9_999) {
        evaluate();
      }
    }
    pass(125);
    sends("new");
    evaluate();
    assertThat(rows).hasSize(20_000).containsKey("new");
    assertThat(rows.keySet().stream().filter(name -> name.startsWith("old-"))).hasSize(19_999);
    assertThat(rows).containsKey("old-19999");
  }
}
