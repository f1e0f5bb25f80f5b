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
import joshua.thought.Prompt;
import joshua.thought.Query;
import org.junit.jupiter.api.Test;

/**
 * Thirty participants of all kinds on a real Redis, over hours by a moved clock: every state right
 * at every moment, with its reason, by an account that is kept from the contract's words.
 */
class PresenceHoursIT {
  private static final Duration STEP = Duration.ofMillis(500);
  private static final Duration SPAN = Duration.ofHours(2);
  private static final Duration BLIND_FROM = Duration.ofMinutes(50);
  private static final Duration BLIND_UNTIL = Duration.ofMinutes(56);
  private static final Duration RESTARTED = Duration.ofMinutes(80);

  private final long seed = Long.getLong("joshua.seed", System.nanoTime());
  private final Contract contract = new Contract(Outlook.BEGIN);
  private final Map<String, TreeMap<Instant, String>> expectedChanges = new LinkedHashMap<>();
  private long looks;
  private long messages;

  @Test
  void everyStateIsRightAtEveryMomentWithItsReason() throws Exception {
    System.out.println("seed " + seed + " (-Djoshua.seed=…)");
    try (Outlook outlook = new Outlook()) {
      List<Actor> actors = Actor.thirty(new Random(seed), Outlook.BEGIN, SPAN);
      assertThat(actors).hasSize(30);
      for (Instant now = Outlook.BEGIN;
          now.isBefore(Outlook.BEGIN.plus(SPAN));
          now = now.plus(STEP)) {
        step(outlook, actors, now);
        outlook.time.advance(STEP);
      }
      outlook.registry().keep();
      compareHistory(outlook);
      comparePast(outlook);
      System.out.printf("%d looks at 30 participants, %d messages%n", looks, messages);
    }
  }

  private void step(Outlook outlook, List<Actor> actors, Instant now) throws Exception {
    Duration elapsed = Duration.between(Outlook.BEGIN, now);
    if (elapsed.equals(BLIND_FROM)) {
      outlook.blind();
      contract.blind();
    } else if (elapsed.equals(BLIND_UNTIL)) {
      outlook.see();
      contract.sees(now);
    } else if (elapsed.equals(RESTARTED)) {
      outlook.restart();
      contract.sees(now);
    }
    boolean blind = elapsed.compareTo(BLIND_FROM) >= 0 && elapsed.compareTo(BLIND_UNTIL) < 0;
    for (Actor actor : actors) {
      for (Actor.Said said : actor.says(now)) {
        messages++;
        if (blind) {
          outlook.publishUnheard(said.message());
        } else {
          outlook.publish(said.message());
          contract.heard(actor.name(), said, now);
        }
      }
    }
    outlook.look();
    if (elapsed.toMillis() % 10_000 == 0) {
      outlook.registry().keep();
    }
    compare(outlook, now);
  }

  private void compare(Outlook outlook, Instant now) {
    Map<String, Attendance> rows = new TreeMap<>();
    outlook.registry().connections().forEach(row -> rows.put(row.madId(), row));
    assertThat(rows.keySet()).as("who is listed at " + now).isEqualTo(contract.names());
    for (Attendance row : rows.values()) {
      looks++;
      String expected = contract.state(row.madId(), now);
      assertThat(row.status().name())
          .as("%s at %s: %s", row.madId(), now, row.why())
          .isEqualTo(expected);
      assertThat(row.why())
          .as("why %s is %s", row.madId(), expected)
          .matches(contract.reason(row.madId(), now));
      assertThat(row.lastHeartbeat()).as(row.madId()).isEqualTo(contract.lastHeard(row.madId()));
      TreeMap<Instant, String> changes =
          expectedChanges.computeIfAbsent(row.madId(), any -> new TreeMap<>());
      if (changes.isEmpty() || !changes.lastEntry().getValue().equals(expected)) {
        changes.put(now, expected);
        assertThat(row.statusSince()).as(row.madId()).isEqualTo(now);
      }
    }
  }

  private void compareHistory(Outlook outlook) throws Exception {
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
    outlook
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

  /** "Who was connected at 11:37?", of any moment, and also when half of the history is deleted. */
  private void comparePast(Outlook outlook) throws Exception {
    Random random = new Random(seed);
    Instant from = Outlook.BEGIN;
    for (boolean cut : new boolean[] {false, true}) {
      if (cut) {
        from = cutHistory(outlook);
        assertThat(from).isAfter(Outlook.BEGIN.plus(Duration.ofMinutes(30)));
      }
      long millis = Duration.between(from, outlook.time.instant()).toMillis();
      for (int i = 0; i < 50; i++) {
        Instant at = from.plusMillis(random.nextLong(millis));
        Map<String, String> expected = new TreeMap<>();
        expectedChanges.forEach((name, changes) -> {
          Map.Entry<Instant, String> last = changes.floorEntry(at);
          if (last != null && !last.getValue().equals("DISCONNECTED")) {
            expected.put(name, last.getValue());
          }
        });
        assertThat(connectedAt(outlook, at)).as("at " + at).isEqualTo(expected);
      }
    }
  }

  private static Instant cutHistory(Outlook outlook) throws Exception {
    return outlook
        .database()
        .write(connection -> {
          new History(2_000, Duration.ofDays(1))
              .prune(connection, "connection_events", "event_id", outlook.time.instant());
          try (PreparedStatement select =
                  connection.prepareStatement("select min(at), count(*) from connection_events");
              ResultSet row = select.executeQuery()) {
            row.next();
            assertThat(row.getInt(2)).isEqualTo(2_000);
            return Instant.parse(row.getString(1));
          }
        });
  }

  private static Map<String, String> connectedAt(Outlook outlook, Instant at) throws Exception {
    Query question =
        BusQueries.on(outlook.database(), outlook.time).stream()
            .filter(query -> query.spec().name().equals(QuerySpecs.CONNECTIONS_AT.name()))
            .findFirst()
            .orElseThrow();
    Prompt prompt = new Prompt("?", "alice", UUID.randomUUID(), UUID.randomUUID());
    Map<String, String> connected = new TreeMap<>();
    question
        .run(Json.object().put("at", EnvelopeCodec.timestamp(at)), prompt)
        .forEach(
            row -> connected.put(row.path("participant").asText(), row.path("status").asText()));
    return connected;
  }
}
