package joshua.rogers.presence;

import static joshua.rogers.presence.ConnectionState.CONNECTED;
import static joshua.rogers.presence.ConnectionState.DISCONNECTED;
import static joshua.rogers.presence.ConnectionState.HEALTHY;
import static joshua.rogers.presence.ConnectionState.STALE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class KnownParticipantTest {
  private static final Instant BEGIN = Instant.parse("2026-11-18T12:00:00Z");
  private static final ObservationWindow VIGIL =
      new ObservationWindow(BEGIN, PresenceThresholds.CONTRACT);

  private final KnownParticipant bob = KnownParticipant.unknown("bob", BEGIN);

  private static Instant at(int seconds) {
    return BEGIN.plusSeconds(seconds);
  }

  private ConnectionState state(int seconds) {
    var _ = bob.look(at(seconds), VIGIL);
    return bob.shown();
  }

  @Test
  void leaveOfOneInstanceShowsWhatTheOthersAre() {
    bob.beat("a", HeartbeatReport.PLAIN, at(0));
    bob.beat("b", HeartbeatReport.PLAIN, at(40));
    assertThat(state(40)).isEqualTo(HEALTHY);
    bob.leave("b", "stopped", at(41));
    assertThat(state(41)).isEqualTo(STALE);
    bob.leave("a", "stopped", at(42));
    assertThat(state(42)).isEqualTo(DISCONNECTED);
  }

  @Test
  void leaveOfAnInstanceThatIsNotKnownLeavesTheOthersAloneAndIsNoSignOfLife() {
    bob.beat("a", HeartbeatReport.PLAIN, at(0));
    bob.leave("z", "stopped", at(25));
    assertThat(state(26)).isEqualTo(HEALTHY);
    assertThat(state(31)).isEqualTo(STALE);
    assertThat(bob.lastMessage()).isEqualTo(at(25));
  }

  @Test
  void whatDoesNotSayItsInstanceCountsForTheOneHeardLast() {
    bob.beat("dead", HeartbeatReport.PLAIN, at(0));
    bob.beat("alive", HeartbeatReport.PLAIN, at(1));
    bob.heard(at(20));
    bob.heard(at(40));
    assertThat(state(45)).isEqualTo(HEALTHY);
    assertThat(bob.row(at(45), VIGIL).instances())
        .extracting(InstanceState::instance, InstanceState::state)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("dead", STALE),
            org.assertj.core.groups.Tuple.tuple("alive", HEALTHY));
    bob.leave("", "by hand", at(46));
    assertThat(state(46)).as("nothing beat without an instance").isEqualTo(HEALTHY);
  }

  @Test
  void leaveWithoutAnInstanceEndsOnlyWhatBeatWithoutOne() {
    bob.beat("a", HeartbeatReport.PLAIN, at(0));
    bob.beat("", HeartbeatReport.PLAIN, at(10));
    bob.leave("", "by hand", at(11));
    assertThat(state(12)).isEqualTo(HEALTHY);
    assertThat(bob.row(at(12), VIGIL).instances())
        .extracting(InstanceState::instance)
        .containsExactly("a");
    assertThat(state(31)).as("a was heard at 0 s").isEqualTo(STALE);

    KnownParticipant eve = KnownParticipant.unknown("eve", BEGIN);
    eve.beat("", HeartbeatReport.PLAIN, at(0));
    eve.leave("", "by hand", at(1));
    var _ = eve.look(at(1), VIGIL);
    assertThat(eve.shown()).isEqualTo(DISCONNECTED);
  }

  @Test
  void whoSpokeBeforeItSaidItsInstanceIsThatInstance() {
    bob.heard(at(0));
    assertThat(state(0)).isEqualTo(CONNECTED);
    bob.join("a", at(1));
    bob.leave("a", "stopped", at(2));
    assertThat(state(2)).isEqualTo(DISCONNECTED);
    assertThat(bob.row(at(2), VIGIL).instances()).hasSize(1);
  }

  @Test
  @TriesLimit("rogers.instances")
  void anInstanceTooManyDisplacesTheOneSilentLongest() {
    for (int i = 0; i <= KnownParticipant.INSTANCES; i++) {
      bob.beat("i" + i, HeartbeatReport.PLAIN, at(i));
    }
    assertThat(bob.row(at(40), VIGIL).instances())
        .hasSize(KnownParticipant.INSTANCES)
        .extracting(InstanceState::instance)
        .doesNotContain("i0")
        .contains("i1", "i" + KnownParticipant.INSTANCES);
  }

  @Test
  void whoComesBackIsConnectedFromThenOn() {
    bob.beat("a", HeartbeatReport.PLAIN, at(0));
    assertThat(state(0)).isEqualTo(HEALTHY);
    assertThat(state(121)).isEqualTo(DISCONNECTED);
    bob.heard(at(200));
    assertThat(state(200)).isEqualTo(HEALTHY);
    ParticipantRow row = bob.row(at(200), VIGIL);
    assertThat(row.connectedAt()).isEqualTo(at(200));
    assertThat(row.statusSince()).isEqualTo(at(200));
  }

  @Test
  void oneThatGraceBeatsForIsGrantedHalfAnIntervalMore() {
    HeartbeatReport heartbeatReport =
        new HeartbeatReport(
            Optional.of(Duration.ofSeconds(30)),
            Optional.empty(),
            Optional.empty(),
            Optional.of("grace"));
    bob.beat("g", heartbeatReport, at(0));
    assertThat(state(45)).isEqualTo(HEALTHY);
    assertThat(state(46)).isEqualTo(STALE);
    assertThat(bob.row(at(46), VIGIL).why())
        .isEqualTo("stale: silent for 46 s, expected a heartbeat every 30 s through grace");
  }

  @Test
  void thresholdsAreExactAndWhySaysHowLong() {
    bob.beat(
        "a",
        new HeartbeatReport(
            Optional.of(Duration.ofSeconds(10)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()),
        at(0));
    assertThat(state(30)).isEqualTo(HEALTHY);
    var _ = bob.look(at(30).plusMillis(1), VIGIL);
    assertThat(bob.shown()).isEqualTo(STALE);
    assertThat(bob.row(at(41), VIGIL).why())
        .isEqualTo("stale: silent for 41 s, expected a heartbeat every 10 s");
    assertThat(state(120)).isEqualTo(STALE);
    var _ = bob.look(at(120).plusMillis(1), VIGIL);
    assertThat(bob.shown()).isEqualTo(DISCONNECTED);
  }
}
