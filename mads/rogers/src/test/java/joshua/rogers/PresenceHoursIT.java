package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.rogers.presence.ParticipantRow;
import joshua.rogers.query.BusQueries;
import joshua.rogers.query.RogersQueries;
import joshua.rogers.store.RetentionLimits;
import joshua.thought.Query;
import joshua.thought.UserPrompt;
import org.junit.jupiter.api.Test;

/**
 * Thirty participants of all kinds on a real Redis, over hours by an advanced clock: every state is
 * right at every moment, with its reason, by a model derived from the contract's text.
 */
class PresenceHoursIT {
  private static final Duration STEP = Duration.ofMillis(500);
  private static final Duration SPAN = Duration.ofHours(2);
  private static final Duration BLIND_FROM = Duration.ofMinutes(50);
  private static final Duration BLIND_UNTIL = Duration.ofMinutes(56);
  private static final Duration RESTARTED = Duration.ofMinutes(80);

  private final long seed = Long.getLong("joshua.seed", System.nanoTime());
  private final ContractStates contractStates = new ContractStates(RegistryFixture.BEGIN);
  private final Map<String, TreeMap<Instant, String>> expectedChanges = new LinkedHashMap<>();
  private long looks;
  private long messages;

  @Test
  void everyStateIsRightAtEveryMomentWithItsReason() throws Exception {
    System.out.println("seed " + seed + " (-Djoshua.seed=…)");
    try (RegistryFixture fixture = new RegistryFixture()) {
      List<SimulatedParticipant> actors =
          SimulatedParticipant.thirty(new Random(seed), RegistryFixture.BEGIN, SPAN);
      assertThat(actors).hasSize(30);
      for (Instant now = RegistryFixture.BEGIN;
          now.isBefore(RegistryFixture.BEGIN.plus(SPAN));
          now = now.plus(STEP)) {
        step(fixture, actors, now);
        fixture.time.advance(STEP);
      }
      fixture.registry().keep();
      compareHistory(fixture);
      comparePast(fixture);
      System.out.printf("%d looks at 30 participants, %d messages%n", looks, messages);
    }
  }

  private void step(RegistryFixture fixture, List<SimulatedParticipant> actors, Instant now)
      throws Exception {
    Duration elapsed = Duration.between(RegistryFixture.BEGIN, now);
    if (elapsed.equals(BLIND_FROM)) {
      fixture.blind();
      contractStates.blind();
    } else if (elapsed.equals(BLIND_UNTIL)) {
      fixture.see();
      contractStates.sees(now);
    } else if (elapsed.equals(RESTARTED)) {
      fixture.restart();
      contractStates.sees(now);
    }
    boolean blind = elapsed.compareTo(BLIND_FROM) >= 0 && elapsed.compareTo(BLIND_UNTIL) < 0;
    for (SimulatedParticipant simulatedParticipant : actors) {
      for (SimulatedParticipant.Said said : simulatedParticipant.says(now)) {
        messages++;
        if (blind) {
          fixture.publishUnheard(said.message());
        } else {
          fixture.publish(said.message());
          contractStates.heard(simulatedParticipant.name(), said, now);
        }
      }
    }
    fixture.look();
    if (elapsed.toMillis() % 10_000 == 0) {
      fixture.registry().keep();
    }
    compare(fixture, now);
  }

  private void compare(RegistryFixture fixture, Instant now) {
    Map<String, ParticipantRow> rows = new TreeMap<>();
    fixture.registry().connections().forEach(row -> rows.put(row.madId(), row));
    assertThat(rows.keySet()).as("who is listed at " + now).isEqualTo(contractStates.names());
    for (ParticipantRow row : rows.values()) {
      looks++;
      String expected = contractStates.state(row.madId(), now);
      assertThat(row.status().name())
          .as("%s at %s: %s", row.madId(), now, row.why())
          .isEqualTo(expected);
      assertThat(row.why())
          .as("why %s is %s", row.madId(), expected)
          .matches(contractStates.reason(row.madId(), now));
      assertThat(row.lastHeartbeat())
          .as(row.madId())
          .isEqualTo(contractStates.lastHeard(row.madId()));
      TreeMap<Instant, String> changes =
          expectedChanges.computeIfAbsent(row.madId(), any -> new TreeMap<>());
      if (changes.isEmpty() || !changes.lastEntry().getValue().equals(expected)) {
        changes.put(now, expected);
        assertThat(row.statusSince()).as(row.madId()).isEqualTo(now);
      }
    }
  }

  private void compareHistory(RegistryFixture fixture) throws Exception {
    Map<String, List<String>> expected = new TreeMap<>();
    expectedChanges.forEach((name, changes) -> {
      List<String> lines = new ArrayList<>();
      String before = null;
      for (Map.Entry<Instant, String> change : changes.entrySet()) {
        lines.add(
            EnvelopeCodec.timestamp(change.getKey()) + " " + before + " " + change.getValue());
        before = change.getValue();
      }
      expected.put(name, lines);
    });
    Map<String, List<String>> kept = new TreeMap<>();
    fixture
        .database()
        .read(connection -> {
          try (PreparedStatement select =
                  connection.prepareStatement(
                      "select at, mad_id, status_before, status from connection_events order by event_id");
              ResultSet row = select.executeQuery()) {
            while (row.next()) {
              kept.computeIfAbsent(row.getString(2), any -> new ArrayList<>())
                  .add(row.getString(1) + " " + row.getString(3) + " " + row.getString(4));
            }
          }
          return kept;
        });
    expected.forEach((name, lines) -> assertThat(kept.get(name)).as(name).isEqualTo(lines));
    assertThat(kept.keySet()).isEqualTo(expected.keySet());
    System.out.printf("%d changes%n", kept.values().stream().mapToInt(List::size).sum());
  }

  /** "Who was connected at 11:37?", for any moment, even when half of the history is deleted. */
  private void comparePast(RegistryFixture fixture) throws Exception {
    Random random = new Random(seed);
    Instant from = RegistryFixture.BEGIN;
    for (boolean cut : new boolean[] {false, true}) {
      if (cut) {
        from = cutHistory(fixture);
        assertThat(from).isAfter(RegistryFixture.BEGIN.plus(Duration.ofMinutes(30)));
      }
      long millis = Duration.between(from, fixture.time.instant()).toMillis();
      for (int i = 0; i < 50; i++) {
        Instant at = from.plusMillis(random.nextLong(millis));
        Map<String, String> expected = new TreeMap<>();
        expectedChanges.forEach((name, changes) -> {
          Map.Entry<Instant, String> last = changes.floorEntry(at);
          if (last != null && !last.getValue().equals("DISCONNECTED")) {
            expected.put(name, last.getValue());
          }
        });
        assertThat(connectedAt(fixture, at)).as("at " + at).isEqualTo(expected);
      }
    }
  }

  private static Instant cutHistory(RegistryFixture fixture) throws Exception {
    return fixture
        .database()
        .write(connection -> {
          new RetentionLimits(2_000, Duration.ofDays(1))
              .prune(connection, "connection_events", "event_id", fixture.time.instant());
          try (PreparedStatement select =
                  connection.prepareStatement("select min(at), count(*) from connection_events");
              ResultSet row = select.executeQuery()) {
            row.next();
            assertThat(row.getInt(2)).isEqualTo(2_000);
            return Instant.parse(row.getString(1));
          }
        });
  }

  private static Map<String, String> connectedAt(RegistryFixture fixture, Instant at)
      throws Exception {
    Query question =
        BusQueries.on(fixture.database(), fixture.time).stream()
            .filter(query -> query.spec().name().equals(RogersQueries.CONNECTIONS_AT.name()))
            .findFirst()
            .orElseThrow();
    UserPrompt userPrompt = new UserPrompt("?", "alice", UUID.randomUUID(), UUID.randomUUID());
    Map<String, String> connected = new TreeMap<>();
    question
        .run(Json.object().put("at", EnvelopeCodec.timestamp(at)), userPrompt)
        .forEach(
            row -> connected.put(row.path("participant").asText(), row.path("status").asText()));
    return connected;
  }
}
