package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import joshua.testing.admins.ScriptedAdmin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rogers' verbs on real SQLite, at a fixed time, as a script and a person see them (+JS-07). */
class VerbsTest {
  /** Sequences that a terminal obeys: colours, a title, a C1 sequence, and reversed text. */
  private static final String HOSTILE = "\033[31mred\033]0;mine\007 \u009b2J \u202eback \u2066";

  private final VerbDesk at = new VerbDesk();

  VerbsTest() throws Exception {}

  @AfterEach
  void close() {
    at.close();
  }

  @Test
  void whatCannotBeReadIsMisuse() {
    assertThat(at.script.run("connections --at noon")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.told()).contains("--at must be");
    assertThat(at.script.run("connections --at 14:05 --state STALE")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.run("stats --hours 0")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.told()).contains("--hours must be 1 to 87600");
    assertThat(at.script.run("stats --pattern mad.else")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.told()).contains("topic_pattern");
    assertThat(at.script.run("stats --by size")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.run("topics -n 201")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.told()).contains("-n must be 1 to 200");
    assertThat(at.script.run("dead-letters -n 0")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.run("losses --since later")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.run("top --every 61")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.run("top -n 51")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.shown()).isEmpty();
  }

  @Test
  void statsSumUpByWhatIsNamed() throws Exception {
    at.desk.row("hourly_metrics", "15:00:00", "alice", "mad.direct", 5);
    at.desk.row("hourly_metrics", "15:00:00", "bob", "mad.topic", 2);
    at.desk.row("hourly_metrics", "14:00:00", "alice", "mad.topic", 7);
    at.blind(1, "14:10:00", "14:12:00");
    assertThat(at.script.run("stats --hours 2")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines())
        .containsExactly(
            "MESSAGES HOUR (UTC) PATTERN SENDER",
            "5 2026-11-18 15:00:00 mad.direct alice",
            "2 2026-11-18 15:00:00 mad.topic bob",
            "7 2026-11-18 14:00:00 mad.topic alice",
            "",
            "14 messages");
    assertThat(at.script.told()).contains("Not seen from 2026-11-18 14:10:00");
    assertThat(at.script.run("stats --hours 1 --by sender")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines())
        .containsExactly("MESSAGES SENDER", "5 alice", "2 bob", "", "7 messages");
    assertThat(at.script.run("stats --sender alice --pattern mad.topic --by hour,pattern"))
        .isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines()).contains("7 2026-11-18 14:00:00 mad.topic").hasSize(4);
    assertThat(at.script.run("stats --sender nobody")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.shown()).isEqualTo("Nothing was counted.\n");
    assertThat(at.script.json("stats --by sender"))
        .isEqualTo(at.asked("rogers_get_stats", "{'hours':24,'group_by':['sender_id']}"));
  }

  @Test
  void topicsAreTheBusiestChannelsAndWhoSendsOnTheirKinds() throws Exception {
    at.desk.row("hourly_channels", "14:00:00", "mad.topic.news", 21, 2100);
    at.desk.row("hourly_channels", "15:00:00", "mad.direct.bob", 7, 700);
    for (int i = 1; i <= 6; i++) {
      at.desk.row("hourly_metrics", "15:00:00", "s-" + i, "mad.topic", i);
    }
    at.desk.row("hourly_metrics", "15:00:00", "alice", "mad.direct", 7);
    assertThat(at.script.run("topics")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines())
        .containsExactly(
            "MESSAGES BYTES CHANNEL",
            "21 2100 mad.topic.news",
            "7 700 mad.direct.bob",
            "",
            "MESSAGES KIND WHO SENDS",
            "7 mad.direct alice (7)",
            "21 mad.topic s-6 (6), s-5 (5), s-4 (4), s-3 (3), s-2 (2), and 1 more");
    JsonNode json = at.script.json("topics -n 1 --hours 1");
    assertThat(json.path("channels")).hasSize(1);
    assertThat(json.at("/channels/0/channel").asText()).isEqualTo("mad.direct.bob");
    assertThat(json.path("senders")).hasSize(7);
    assertThat(json.path("not_seen")).isEmpty();
  }

  @Test
  void traceShowsEachMessageAndWhatMayBeMissing() throws Exception {
    String id = UUID.randomUUID().toString();
    at.said(1, "15:00:00", id, "alice", "{\"n\":1}");
    at.said(2, "15:00:02", id, "bob", "{\"text\":\"%s\"}".formatted("x".repeat(100)));
    at.blind(1, "15:00:01", "15:00:01");
    at.desk.change("update not_seen set until = ?", RogersQueryFixture.at("15:00:01.5"));
    assertThat(at.script.run("trace " + id)).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines())
        .startsWith("AFTER FROM TO CHANNEL WHAT", "+0.000 s alice bob mad.direct.bob {\"n\":1}")
        .last()
        .asString()
        .startsWith("+2.000 s bob bob mad.direct.bob {\"text\":\"xxx")
        .endsWith("x…");
    assertThat(at.script.told()).startsWith("joshua: something may be missing. Between ");
    JsonNode whole = at.asked("rogers_get_conversation", "{'conversation_id':'%s'}".formatted(id));
    assertThat(at.script.json("trace " + id)).isEqualTo(whole);
    assertThat(at.script.json("trace --conversation " + id)).isEqualTo(whole);
  }

  @Test
  void theBeginningOfAnIdIsEnoughWhereItIsOneExchanges() throws Exception {
    String one = "0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07";
    at.said(1, "15:00:00", one, "alice", "{\"n\":1}");
    at.said(2, "15:00:01", one, "bob", "{\"n\":2}");
    List<String> others = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      others.add("0193f0a3-7c1e-7d4b-9a55-3c2e8f6b1d0" + i);
      at.said(3 + i, "15:00:02", others.getLast(), "alice", "{}");
    }
    JsonNode whole = at.asked("rogers_get_conversation", "{'correlation_id':'%s'}".formatted(one));
    assertThat(at.script.json("trace 0193f0a2")).isEqualTo(whole);
    assertThat(at.script.json("trace --conversation 0193F0A2-7c")).isEqualTo(whole);
    assertThat(at.script.run("trace 0193f0")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.told())
        .contains("correlation_id is ambiguous: 0193f0 begins " + one + ", " + others.getFirst())
        .contains(" and more. Write more of the one that you mean.")
        .doesNotContain(others.getLast());
    assertThat(at.script.run("trace ffff")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.told()).contains("begins with ffff nowhere in the journal");
    assertThat(at.viewer.run("trace 0193f0a2")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.viewer.told())
        .contains("must be a whole UUID for whoever may not read all direct messages");
  }

  @Test
  void whatCannotBeTracedIsSaid() throws Exception {
    String id = UUID.randomUUID().toString();
    assertThat(at.script.run("trace " + id)).isEqualTo(ExitStatus.REFUSED);
    assertThat(at.script.shown()).isEmpty();
    assertThat(at.script.told())
        .isEqualTo("joshua: nothing is known of it. The journal has nothing of it.\n");
    assertThat(at.script.run("trace -o json " + id)).isEqualTo(ExitStatus.REFUSED);
    assertThat(Json.parse(at.script.shown()).path("complete").asBoolean(true)).isFalse();
    for (String misuse : List.of("trace", "trace yesterday", "trace --conversation 7")) {
      assertThat(at.script.run(misuse)).as(misuse).isEqualTo(ExitStatus.USAGE);
    }
    assertThat(at.script.run("trace %s --conversation %s".formatted(id, id)))
        .isEqualTo(ExitStatus.USAGE);
    at.said(1, "15:00:00", id, "alice", "{}");
    assertThat(at.viewer.run("trace " + id)).isEqualTo(ExitStatus.REFUSED);
    String theirs = at.viewer.told();
    assertThat(at.viewer.run("trace " + UUID.randomUUID())).isEqualTo(ExitStatus.REFUSED);
    assertThat(at.viewer.told()).as("the same, whether it exists or not").isEqualTo(theirs);
  }

  @Test
  void lossesBeginWithTheNumber() throws Exception {
    assertThat(at.script.run("losses")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines()).containsExactly("Nobody knows: nothing was compared.");
    at.desk.row("reconciled", "grace", "i-1", "14:00:00", 1800, 3600, 0, 9000, 0);
    assertThat(at.script.run("losses --since 14:00")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines())
        .containsExactly(
            "0 messages lost.",
            "",
            "HOP LOST TIMES LAST (UTC) WHY",
            "bus>grace 0 1800 2026-11-18 14:00:00 compared: 9000 messages");
    at.desk.row(
        "losses",
        1,
        "14:20:04",
        "14:20:00",
        "14:20:02",
        "bus>grace",
        "grace",
        "i-1",
        1,
        "mad.topic.*",
        100,
        97,
        "received fewer than were seen");
    at.desk.row("losers", 1, "14:30:00", "grace", "carol", 12, "overflow");
    at.blind(1, "14:40:00", "14:41:00");
    assertThat(at.script.run("losses --since 14:00 --until 15:00")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines())
        .startsWith("15 messages lost, on 2 occasions.", "", "HOP LOST TIMES LAST (UTC) WHY")
        .contains(
            "bus>grace 3 1 2026-11-18 14:20:02 received fewer than were seen",
            "grace>clients 12 1 2026-11-18 14:30:00 clients were told: overflow",
            "2026-11-18 14:30:00 carol 12 grace overflow")
        .last()
        .asString()
        .startsWith("Not seen from 2026-11-18 14:40:00");
    JsonNode json = at.script.json("losses --since 14:00 --until 15:00");
    for (String query : List.of("losses", "losers", "not_seen")) {
      assertThat(json.path(query))
          .isEqualTo(
              at.asked(
                      "rogers_query",
                      """
                      {'name':'%s','arguments':
                        {'since':'2026-11-18T14:00:00Z','until':'2026-11-18T15:00:00Z'}}
                      """
                          .formatted(query))
                  .path("rows"));
    }
    assertThat(at.script.run("losses --until 13:00")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines()).containsExactly("Nobody knows: nothing was compared.");
  }

  @Test
  void deadLettersAreListedNewestFirst() throws Exception {
    at.desk.row("dead_letters", 1, "14:00:00", "mad.topic.x", "is no JSON", "hello", 5, 3);
    at.desk.row(
        "dead_letters", 2, "15:00:00", "mad.direct.bob", "is no JSON", "a".repeat(99), 99, 1);
    assertThat(at.script.run("dead-letters")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines())
        .containsExactly(
            "AT (UTC) TIMES BYTES CHANNEL WHY BEGINS",
            "2026-11-18 15:00:00 1 99 mad.direct.bob is no JSON " + "a".repeat(60) + "…",
            "2026-11-18 14:00:00 3 5 mad.topic.x is no JSON hello");
    assertThat(at.script.json("dead-letters -n 1").findValuesAsText("size")).containsExactly("99");
    assertThat(at.script.json("dead-letters --since 14:30").findValuesAsText("size"))
        .containsExactly("99");
    assertThat(at.script.json("dead-letters --until 14:30").findValuesAsText("size"))
        .containsExactly("5");
    assertThat(at.viewer.run("dead-letters")).isEqualTo(ExitStatus.OK);
    assertThat(at.viewer.lines())
        .contains("2026-11-18 15:00:00 1 99 mad.direct.bob is no JSON (not for your role)");
    assertThat(at.script.run("dead-letters --since -1s")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.shown()).isEqualTo("None.\n");
  }

  @Test
  void foreignTextNeverReachesATerminalAsItIs() throws Exception {
    String id = UUID.randomUUID().toString();
    at.said(1, "15:00:00", id, "alice", Json.write(Json.object().put("text", HOSTILE)));
    at.said(2, "15:00:01", id, "alice", HOSTILE);
    at.desk.change("update journal set cut = 1 where entry_id = 2");
    at.desk.row("dead_letters", 1, "15:00:00", "mad.topic." + HOSTILE, HOSTILE, HOSTILE, 5, 1);
    at.desk.row("losers", 1, "14:30:00", "grace", HOSTILE, 12, HOSTILE);
    at.desk.row("hourly_channels", "15:00:00", "mad.topic." + HOSTILE, 21, 2100);
    at.desk.row("hourly_metrics", "15:00:00", HOSTILE, "mad.topic", 5);
    at.connection(HOSTILE, "HEALTHY", "15:20:00");
    for (String verb :
        List.of("trace " + id, "dead-letters", "losses", "topics", "stats", "connections")) {
      for (ScriptedAdmin admin : List.of(at.script, at.person)) {
        for (String format : List.of("table", "json")) {
          assertThat(admin.run(verb + " -o " + format)).as(verb).isEqualTo(ExitStatus.OK);
          String own = admin.shown().replaceAll("\033\\[\\d*m", "");
          assertThat(own).as(verb).contains("red").contains("back");
          assertThat(own.codePoints().filter(c -> c != '\n')).as(verb).noneMatch(VerbsTest::harms);
        }
      }
    }
    assertThat(at.script.json("dead-letters").path(0).path("head").asText()).isEqualTo(HOSTILE);
    assertThat(at.script.json("trace " + id).at("/messages/0/payload/text").asText())
        .isEqualTo(HOSTILE);
  }

  private static boolean harms(int character) {
    int type = Character.getType(character);
    return type == Character.CONTROL || type == Character.FORMAT;
  }

  @Test
  void eachHasAnExampleAndIsForViewers() {
    for (CommandHost.Known known : at.host.known()) {
      assertThat(known.role()).as(known.name()).isEqualTo(Role.VIEWER);
      assertThat(at.viewer.run(known.name() + " --help")).isEqualTo(ExitStatus.OK);
      assertThat(at.viewer.shown()).contains("xamples:\n  " + known.name());
    }
    assertThat(at.host.known().stream().map(CommandHost.Known::name))
        .containsExactly(
            "help", "connections", "stats", "topics", "top", "trace", "dead-letters", "losses");
  }
}
