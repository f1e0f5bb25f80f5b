package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import joshua.rogers.tool.ConnectionsTool;
import joshua.ssh.ExitStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The command {@code connections}: who is and who was on the bus (REQ-RG-11). */
class ConnectionsVerbTest {
  private final VerbDesk at = new VerbDesk();

  ConnectionsVerbTest() throws Exception {}

  @AfterEach
  void close() {
    at.close();
  }

  @Test
  void connectionsSayWhoIsThereForHowLongAndWhy() throws Exception {
    at.connection("alice", "HEALTHY", "15:20:00");
    at.connection("bob", "STALE", "15:29:50");
    assertThat(at.script.run("connections")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines())
        .containsExactly(
            "PARTICIPANT STATE FOR LAST HEARD WHY",
            "alice HEALTHY 10 min 5 s ago because",
            "bob STALE 10 s 5 s ago because",
            "",
            "1 HEALTHY, 1 STALE");
    assertThat(at.script.run("connections --state stale")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.shown()).contains("bob").doesNotContain("alice");
    assertThat(at.script.json("connections"))
        .isEqualTo(at.asked("rogers_get_connections", "{}").path("connections"));
    assertThat(at.script.run("connections --state disconnected")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.shown()).isEqualTo("Nobody.\n");
    assertThat(at.script.run("connections --state GONE")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.told()).contains("--state").contains("STALE");
  }

  @Test
  void whoLeftLongAgoIsShownWhenAskedFor() throws Exception {
    at.connection("alice", "HEALTHY", "09:00:00");
    at.connection("bob", "DISCONNECTED", "14:30:00");
    at.connection("carl", "DISCONNECTED", "14:29:59");
    at.connection("dora", "DISCONNECTED", "09:00:00");
    assertThat(at.script.run("connections")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.shown()).contains("alice", "bob").doesNotContain("carl", "dora");
    assertThat(at.script.lines())
        .endsWith(
            "1 HEALTHY, 1 DISCONNECTED",
            "2 more, gone for more than an hour, aren't shown; --all shows them.");
    assertThat(at.script.run("connections --all")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines()).endsWith("1 HEALTHY, 3 DISCONNECTED");
    assertThat(at.script.run("connections --state disconnected")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines()).endsWith("3 DISCONNECTED");
    assertThat(at.script.json("connections")).hasSize(4);
  }

  @Test
  void connectionsThatAreLeftOutAreSaidToBe() throws Exception {
    at.desk.change(
        """
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
        insert into connections select 'p-' || n, 'HEALTHY', '', '', '', '', 1, null, null, null,
          null, '[]' from numbers
        """,
        ConnectionsTool.MOST + 2);
    assertThat(at.script.json("connections")).hasSize(ConnectionsTool.MOST);
    assertThat(at.script.told()).isEqualTo("joshua: 2 more are left out.\n");
  }

  @Test
  void whoWasConnectedAtAMomentIsToldFromTheChanges() throws Exception {
    at.connection("alice", "HEALTHY", "09:00:00");
    at.connection("bob", "HEALTHY", "14:10:00");
    at.event(1, "09:00:00", "alice", null, "HEALTHY");
    at.event(2, "10:00:00", "bob", null, "HEALTHY");
    at.event(3, "14:00:00", "bob", "HEALTHY", "DISCONNECTED");
    at.event(4, "14:10:00", "bob", "DISCONNECTED", "HEALTHY");
    assertThat(at.script.run("connections --at 14:05")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.lines())
        .containsExactly(
            "At 2026-11-18T14:05:00Z:",
            "PARTICIPANT STATE SINCE (UTC) WHY",
            "alice HEALTHY 2026-11-18 09:00:00 why 1",
            "",
            "1 HEALTHY");
    assertThat(at.script.told()).isEmpty();
    assertThat(at.script.run("connections --at -10m")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.shown()).contains("alice").contains("bob");
    assertThat(at.script.json("connections --at 2026-11-18T14:05:00Z"))
        .isEqualTo(
            at.asked(
                    "rogers_query",
                    "{'name':'connections_at','arguments':{'at':'2026-11-18T14:05:00Z'}}")
                .path("rows"));
  }

  @Test
  void theFutureIsNotKnown() {
    assertThat(at.script.run("connections --at 2026-11-18T15:30:01Z")).isEqualTo(ExitStatus.USAGE);
    assertThat(at.script.told()).contains("--at must be past");
    assertThat(at.script.run("connections --at 2026-11-18T15:30:00Z")).isEqualTo(ExitStatus.OK);
  }

  @Test
  void aMomentThatRogersDidNotSeeIsSaidToBe() throws Exception {
    at.connection("alice", "HEALTHY", "09:00:00");
    at.blind(1, "14:04:00", "14:06:00");
    assertThat(at.script.run("connections --at 14:05 -o json")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.told())
        .isEqualTo(
            "joshua: Not seen from 2026-11-18 14:04:00 to 2026-11-18 14:06:00 (Redis was away):"
                + " nobody knows how many messages were missed.\n");
    assertThat(at.script.run("connections --at 14:06")).isEqualTo(ExitStatus.OK);
    assertThat(at.script.told()).isEmpty();
    assertThat(at.person.run("connections --at 14:05 -w")).isEqualTo(ExitStatus.OK);
    assertThat(at.person.shown()).contains("Not seen from");
  }

  @Test
  void aWatchedViewIsRedrawnInColours() throws Exception {
    at.connection("alice", "HEALTHY", "15:20:00");
    at.connection("bob", "STALE", "15:29:50");
    assertThat(at.person.run("connections -w")).isEqualTo(ExitStatus.OK);
    assertThat(at.person.shown().split("\033\\[H", -1)).hasSize(4);
    assertThat(at.person.shown()).contains("\033[32mHEALTHY\033[0m", "\033[33mSTALE\033[0m");
  }
}
