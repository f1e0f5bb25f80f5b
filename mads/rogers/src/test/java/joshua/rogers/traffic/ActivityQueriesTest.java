package joshua.rogers.traffic;

import static joshua.rogers.FilledDesk.DIRECT;
import static joshua.rogers.FilledDesk.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import joshua.rogers.FilledDesk;
import joshua.rogers.RogersQueryFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the answers about activity, and the sentences that precede them, on real SQLite. */
class ActivityQueriesTest {
  private RogersQueryFixture fixture;

  @BeforeEach
  void fill() throws Exception {
    fixture = FilledDesk.open();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<String> texts(String query, String arguments, String column) throws Exception {
    return fixture
        .rows(query, arguments)
        .valueStream()
        .map(row -> row.path(column).asText())
        .toList();
  }

  private String answer(String query, String arguments) throws Exception {
    return fixture.found(query, arguments).summary().answer().orElseThrow();
  }

  @Test
  void whoSendsOnAChannelAndWhatWasSaidLastWithoutDirectMessages() throws Exception {
    assertThat(texts("publishers", "{'channel':'mad.topic.news'}", "sender"))
        .containsExactly("alice", "bob");
    assertThat(texts("publishers", "{'participant':'bob'}", "channel"))
        .containsExactly("mad.topic.news");
    assertThat(answer("publishers", "{'participant':'bob'}"))
        .isEqualTo("bob sends on mad.topic.news.");
    assertThat(answer("publishers", "{'channel':'mad.topic.x'}")).startsWith("Nobody, ");
    assertThat(texts("recent", "{}", "payload")).containsExactly("two", "one");
    assertThat(texts("recent", "{'participant':'bob'}", "payload")).containsExactly("two");
    assertThat(answer("recent", "{'channel':'mad.topic.news','limit':1}"))
        .isEqualTo(
            "The newest message is of 2026-11-18T15:01:00.000Z, from bob on mad.topic.news.");
    assertThat(answer("recent", "{'channel':'mad.direct.alice'}")).startsWith("No message, ");
  }

  @Test
  void whetherAnybodyListensOnAChannel() throws Exception {
    JsonNode news = fixture.rows("listeners", "{'channel':'mad.topic.build'}").path(0);
    assertThat(news.path("patterns").toString()).isEqualTo("[\"mad.topic.*\"]");
    assertThat(answer("listeners", "{'channel':'mad.topic.build'}"))
        .isEqualTo(
            "Somebody listens on mad.topic.build: 1 connection by its name, 1 pattern of relays.");
    assertThat(answer("listeners", "{'channel':'mad.direct.carol'}"))
        .isEqualTo("Nobody is known to listen on mad.direct.carol.");
  }

  @Test
  void howMuchIsGoingOnNow() throws Exception {
    assertThat(answer("rate", "{}"))
        .isEqualTo("12.3 messages a second now; 3 in this hour so far, 28 in the one before.");
  }

  @Test
  void whoWentQuietAndWhoDidAtATime() throws Exception {
    assertThat(answer("quiet", "{}")).isEqualTo("bob went quiet.");
    assertThat(texts("quiet", "{'since':'2026-11-18T15:00:00Z'}", "participant"))
        .containsExactly("bob");
    assertThat(answer("quiet", "{'until':'2026-11-18T15:00:00Z'}")).isEqualTo("Nobody went quiet.");
    fixture.change("update connections set status = 'HEALTHY'");
    assertThat(answer("quiet", "{}")).isEqualTo("Nobody went quiet.");
    fixture.change(
        "update connections set status = 'DISCONNECTED', why = 'disconnected: left at x'");
    assertThat(fixture.rows("quiet", "{}")).isEmpty();
    fixture.change("update connections set why = 'disconnected: silent for more than 120 s'");
    assertThat(fixture.rows("quiet", "{}")).hasSize(3);
  }

  @Test
  void whatKindOfTrafficDominates() throws Exception {
    assertThat(texts("kinds", "{}", "kind")).containsExactly(TOPIC, DIRECT);
    assertThat(answer("kinds", "{}")).isEqualTo("mad.topic dominates: 66.7 % of all messages.");
    assertThat(answer("kinds", "{'participant':'alice'}"))
        .startsWith("mad.direct dominates: 92.3 %");
  }

  @Test
  void howLongSomebodyHasBeenThere() throws Exception {
    assertThat(texts("connected_since", "{}", "participant"))
        .containsExactly("old-timer", "alice", "bob");
    assertThat(answer("connected_since", "{}"))
        .isEqualTo("old-timer is there, for 7 h 30 min, since 2026-11-18T08:00:00.000Z.");
    assertThat(answer("connections", "{'participant':'alice'}"))
        .isEqualTo("alice is there, for 6 h 30 min, since 2026-11-18T09:00:00.000Z.");
    assertThat(answer("connections", "{'participant':'nobody'}")).isEqualTo("It was never seen.");
    fixture.change("update connections set status = 'DISCONNECTED'");
    assertThat(answer("connections", "{'participant':'alice'}"))
        .isEqualTo("alice isn't there now; the last time it came at 2026-11-18T09:00:00.000Z.");
    assertThat(answer("connected_since", "{}")).isEqualTo("Nobody is there.");
  }

  @Test
  void twoTimesAreCompared() throws Exception {
    assertThat(texts("compare", "{}", "messages")).containsExactly("3", "28");
    assertThat(answer("compare", "{}"))
        .startsWith("Less: 0.1 messages a minute from 2026-11-18T15:");
    String hours =
        "{'since':'2026-11-18T14:00:00Z','until':'2026-11-18T15:00:00Z',"
            + "'than_since':'2026-11-18T13:00:00Z','than_until':'2026-11-18T14:00:00Z'}";
    assertThat(texts("compare", hours, "messages")).containsExactly("28", "5");
    assertThat(answer("compare", hours)).startsWith("More: 0.5 ");
    assertThat(fixture.found("compare", hours.replace("13:00", "12:00")).summary().caveats())
        .hasSize(1);
  }

  @Test
  void everythingThatIsNotWell() throws Exception {
    assertThat(answer("problems", "{}"))
        .isEqualTo("Not all is well: 1 loop, 1 malformed, 1 missed, 1 silent, 1 storm, 1 unheard.");
    assertThat(answer("problems", "{'since':'2026-11-18T14:00:00Z'}")).contains("1 lost");
    fixture.change("update unheard set channel = 'mad.direct.alice'");
    fixture.change("update connections set has_beaten = 0 where status = 'STALE'");
    assertThat(answer("problems", "{}")).doesNotContain("unheard", "silent");
    fixture.change("update connections set status = 'HEALTHY'");
    assertThat(answer("problems", "{'since':'2026-11-18T15:29:00Z'}")).startsWith("All is well: ");
  }

  @Test
  void whatHappenedAtATime() throws Exception {
    assertThat(texts("events", "{'at':'2026-11-18T15:20:00Z'}", "what"))
        .contains("loop", "storm")
        .doesNotContain("malformed");
    assertThat(texts("events", "{'since':'2026-11-18T14:00:00Z','participant':'bob'}", "what"))
        .containsExactly("state", "storm", "state", "state", "traffic");
    assertThat(answer("events", "{'at':'2026-11-17T12:00:00Z'}"))
        .isEqualTo("Nothing that is known.");
  }

  @Test
  void theBusiestHourIsSaidFirst() throws Exception {
    assertThat(answer("hours", "{}"))
        .isEqualTo(
            "The busiest hour began at 2026-11-18T14:00:00.000Z (28 messages), the quietest with any"
                + " at 2026-11-18T15:00:00.000Z (3).");
  }
}
