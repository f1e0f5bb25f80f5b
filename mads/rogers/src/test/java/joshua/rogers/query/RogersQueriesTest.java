package joshua.rogers.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.TreeSet;
import joshua.rogers.FilledDesk;
import joshua.rogers.RogersQueryFixture;
import joshua.thought.QuerySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what each whitelisted query returns, on real SQLite (REQ-RG-02, +RG-16). */
class RogersQueriesTest {
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

  private JsonNode only(String query, String arguments) throws Exception {
    JsonNode rows = fixture.rows(query, arguments);
    assertThat(rows).hasSize(1);
    return rows.path(0);
  }

  /** The arguments without which a query isn't run. */
  private static String required(QuerySpec spec) {
    return switch (spec.name()) {
      case "connections_at" -> "'at':'2026-11-18T15:00:00Z'";
      case "listeners" -> "'channel':'mad.topic.news'";
      default -> "";
    };
  }

  @Test
  void everyQueryGivesTheColumnsThatItTellsOf() throws Exception {
    assertThat(fixture.queries().specs()).isEqualTo(RogersQueries.ALL);
    for (QuerySpec spec : RogersQueries.ALL) {
      String arguments = "{%s}".formatted(required(spec));
      JsonNode row = fixture.rows(spec.name(), arguments).path(0);
      List<String> given = row.propertyStream().map(member -> member.getKey()).toList();
      assertThat(new TreeSet<>(given)).as(spec.name()).containsAll(spec.columns());
    }
  }

  @Test
  void everyArgumentOfEveryQueryIsTaken() throws Exception {
    for (QuerySpec spec : RogersQueries.ALL) {
      for (String argument : spec.arguments()) {
        String value =
            switch (argument) {
              case "limit" -> "1";
              case "channel" -> "'mad.topic.x'";
              case "at", "since", "until", "than_since", "than_until" -> "'2026-11-18T15:00:00Z'";
              case "kind" -> spec.name().equals("tasks") ? "'all'" : "'loop'";
              case "topic" -> "'mad.stream'";
              case "task_id" -> "'0193f0a2'";
              case "status" -> spec.name().equals("tasks") ? "'FAILED'" : "'STALE'";
              default -> "'nobody'";
            };
        String before = required(spec);
        String more = before.isEmpty() || before.contains("'" + argument + "'") ? "" : "," + before;
        assertThat(fixture.rows(spec.name(), "{'%s':%s%s}".formatted(argument, value, more)))
            .as(spec.name() + " by " + argument)
            .hasSizeLessThan(spec == RogersQueries.EVENTS ? 20 : 7);
      }
    }
  }

  @Test
  void whoIsThereWithTheReason() throws Exception {
    assertThat(texts("connections", "{}", "participant"))
        .containsExactly("alice", "old-timer", "bob");
    assertThat(only("connections", "{'status':'STALE'}").path("why").asText())
        .isEqualTo("stale: silent for 41 s");
    assertThat(only("connections", "{'participant':'alice'}").path("last_heard").asText())
        .isEqualTo("2026-11-18T15:29:58.000Z");
    JsonNode count = only("count_connections", "{}");
    assertThat(count.path("participants").asInt()).isEqualTo(3);
    assertThat(count.path("stale").asInt()).isEqualTo(1);
    assertThat(only("count_connections", "{'status':'HEALTHY'}").path("participants").asInt())
        .isEqualTo(1);
  }

  @Test
  void whoWasThereAtAMomentOfThePast() throws Exception {
    assertThat(texts("connections_at", "{'at':'2026-11-18T07:00:00Z'}", "participant")).isEmpty();
    assertThat(texts("connections_at", "{'at':'2026-11-18T13:00:00Z'}", "participant"))
        .containsExactly("alice", "bob", "old-timer");
    assertThat(texts("connections_at", "{'at':'2026-11-18T14:05:00Z'}", "participant"))
        .containsExactly("alice", "old-timer");
    String bob = "{'at':'2026-11-18T14:05:00Z','participant':'bob'}";
    assertThat(only("connections_at", bob).path("status").asText()).isEqualTo("DISCONNECTED");
    assertThat(only("connections_at", bob).path("since").asText())
        .isEqualTo("2026-11-18T14:00:00.000Z");
  }

  @Test
  void whoWasThereIsKnownFromTheNextChangeWhereTheOneBeforeIsKeptNoMore() throws Exception {
    fixture.change("delete from connection_events where event_id in (1, 2)");
    JsonNode bob = only("connections_at", "{'at':'2026-11-18T13:00:00Z','participant':'bob'}");
    assertThat(bob.path("status").asText()).isEqualTo("HEALTHY");
    assertThat(bob.path("since").isNull()).isTrue();
  }

  @Test
  void whatChangedNewestFirst() throws Exception {
    assertThat(texts("changes", "{'participant':'bob','limit':2}", "status"))
        .containsExactly("STALE", "HEALTHY");
    assertThat(
            texts(
                "changes", "{'since':'2026-11-18T14:00:00Z','until':'2026-11-18T14:10:00Z'}", "at"))
        .containsExactly("2026-11-18T14:00:00.000Z");
  }

  @Test
  void countsSayHowOftenRogersWasNotWatching() throws Exception {
    fixture.row("not_seen", 2, "14:20:00", "14:21:00", "the bus was away", null);
    String since = "{'since':'2026-11-18T%s:00Z'}";
    assertThat(only("messages", since.formatted("14:30")).path("spans_not_seen").asInt())
        .isEqualTo(1);
    assertThat(only("messages", since.formatted("15:00")).path("spans_not_seen").asInt()).isZero();
    assertThat(only("messages", since.formatted("12:00")).path("spans_not_seen").asInt())
        .isEqualTo(2);
    assertThat(texts("hours", "{'participant':'alice'}", "hour"))
        .containsExactly("2026-11-18T14:00:00.000Z", "2026-11-18T13:00:00.000Z");
    assertThat(texts("hours", "{'participant':'alice'}", "spans_not_seen"))
        .containsExactly("1", "0");
  }

  /** +RG-16: not only in counts and losses. */
  @Test
  void everyAnswerAboutATimeSaysWhereRogersWasNotWatching() throws Exception {
    String span =
        "Rogers wasn't watching from 2026-11-18T12:00:00.000Z until 2026-11-18T12:05:00.000Z"
            + " (Rogers was not running).";
    for (QuerySpec spec : RogersQueries.OF_THE_BUS) {
      boolean at = spec.arguments().contains("at");
      String asked = at ? "{'at':'2026-11-18T12:%s:00Z'}" : "{'since':'2026-11-18T12:%s:00Z'}";
      if (spec != RogersQueries.NOT_SEEN && (at || spec.arguments().contains("since"))) {
        assertThat(fixture.found(spec.name(), asked.formatted("00")).summary().caveats())
            .as(spec.name())
            .containsExactly(span);
        assertThat(fixture.found(spec.name(), asked.formatted("05")).summary().caveats())
            .as(spec.name())
            .isEmpty();
      }
    }
    assertThat(fixture.found("alarms", "{'until':'2026-11-18T12:00:00Z'}").summary().caveats())
        .isEmpty();
    for (int i = 2; i <= UnwatchedSpans.LIMIT + 1; i++) {
      fixture.row("not_seen", i, "13:0" + i + ":00", "13:0" + i + ":30", "away", null);
    }
    assertThat(fixture.found("unheard", "{}").summary().caveats())
        .hasSize(UnwatchedSpans.LIMIT + 1)
        .last()
        .isEqualTo("There are 1 more spans in which Rogers wasn't watching.");
    assertThat(fixture.found("connections", "{}").summary().caveats()).isEmpty();
  }

  @Test
  void whetherRogersIsHealthyIsSaidFirst() throws Exception {
    assertThat(fixture.found("service", "{}").summary().answer())
        .contains("Rogers is healthy: it watches the bus, and its counts are up to date.");
    fixture.row("not_seen", 2, "15:29:59", null, "the bus was away", null);
    assertThat(fixture.found("service", "{}").summary().answer().orElseThrow())
        .startsWith("Rogers isn't healthy");
  }

  @Test
  void countsAreByWholeHours() throws Exception {
    assertThat(texts("senders", "{}", "sender")).containsExactly("bob", "alice", "?");
    assertThat(texts("senders", "{'topic':'mad.direct'}", "messages")).containsExactly("12");
    assertThat(only("messages", "{}").path("messages").asInt()).isEqualTo(36);
    assertThat(only("messages", "{}").path("bytes").asInt()).isEqualTo(3330);
    JsonNode some =
        only("messages", "{'since':'2026-11-18T14:30:00Z','until':'2026-11-18T14:40:00Z'}");
    assertThat(some.path("messages").asInt()).isEqualTo(28);
    assertThat(some.path("first_hour").asText()).isEqualTo("2026-11-18T14:00:00.000Z");
    assertThat(only("messages", "{'until':'2026-11-18T14:00:00Z'}").path("messages").asInt())
        .isEqualTo(5);
    assertThat(only("messages", "{'participant':'nobody'}").path("messages").asInt()).isZero();
    assertThat(texts("hours", "{'participant':'alice'}", "messages")).containsExactly("8", "5");
    assertThat(texts("channels", "{}", "channel"))
        .containsExactly("mad.topic.news", "mad.direct.bob");
    assertThat(texts("channels", "{'since':'2026-11-18T15:00:00Z'}", "bytes"))
        .containsExactly("30");
  }

  @Test
  void whatWasLostAndWhatRogersHimselfMissed() throws Exception {
    assertThat(
            texts(
                "losses",
                "{'since':'2026-11-18T14:00:00Z','until':'2026-11-18T15:00:00Z'}",
                "lost"))
        .containsExactly("15", "3", "12");
    assertThat(texts("losers", "{'participant':'carol'}", "reason")).containsExactly("overflow");
    assertThat(only("not_seen", "{'since':'2026-11-18T12:04:00Z'}").path("reason").asText())
        .isEqualTo("Rogers was not running");
    assertThat(fixture.rows("not_seen", "{'since':'2026-11-18T12:05:00Z'}")).isEmpty();
    assertThat(only("service", "{}").path("keeps_up").asText()).isEqualTo("yes");
    fixture.row("not_seen", 2, "15:29:59", null, "the bus was away", null);
    assertThat(only("service", "{}").path("keeps_up").asText()).startsWith("no");
  }

  @Test
  void whatRogersNoticed() throws Exception {
    assertThat(only("dead_letters", "{}").path("head").asText()).isEqualTo("hello");
    assertThat(only("unheard", "{}").path("messages").asInt()).isEqualTo(6);
    assertThat(texts("alarms", "{'participant':'alice'}", "kind")).containsExactly("loop");
    assertThat(texts("alarms", "{'participant':'bob'}", "kind")).containsExactly("loop", "storm");
    assertThat(texts("alarms", "{'kind':'storm'}", "subject")).containsExactly("bob");
    assertThat(texts("tasks", "{'requester':'alice'}", "prompt")).containsExactly("who?");
  }

  @Test
  void noQueryCanWrite() {
    assertThatThrownBy(() ->
            fixture
                .database()
                .read(connection ->
                    connection.createStatement().executeUpdate("delete from connections")))
        .hasMessageContaining("readonly");
  }
}
