package joshua.rogers.presence;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ParticipantTableTest {
  private static final Instant BEGIN = Instant.parse("2026-11-18T12:00:00Z");
  private static final ObservationWindow VIGIL =
      new ObservationWindow(BEGIN, PresenceThresholds.CONTRACT);

  private final ParticipantTable participantTable = new ParticipantTable();

  private static Instant at(int millis) {
    return BEGIN.plusMillis(millis);
  }

  private void fill(int names) {
    for (int i = 0; i < names; i++) {
      participantTable.take(new PresenceNotice.Spoken("n" + i, at(i)));
    }
    var _ = participantTable.look(at(names), VIGIL);
  }

  private List<String> names() {
    return participantTable.rows(BEGIN, VIGIL).stream().map(ParticipantRow::madId).toList();
  }

  @Test
  @TriesLimit("rogers.participants")
  void oneNameTooManyDisplacesTheOneThatIsGoneLongest() {
    fill(ParticipantTable.NAMES);
    leave("n7", 30_000);
    leave("n3", 30_001);
    var _ = participantTable.takeBatch(BEGIN, VIGIL, true);
    participantTable.take(new PresenceNotice.Spoken("new", at(30_002)));
    var _ = participantTable.look(at(30_002), VIGIL);
    assertThat(names()).hasSize(ParticipantTable.NAMES).contains("new", "n3").doesNotContain("n7");

    ParticipantTable.Batch batch = participantTable.takeBatch(BEGIN, VIGIL, true);
    assertThat(batch.forgotten()).containsExactly("n7");
    assertThat(batch.changes())
        .extracting(StateChange::madId, StateChange::before, StateChange::why)
        .contains(
            org.assertj.core.groups.Tuple.tuple(
                "n7",
                Optional.of(ConnectionState.DISCONNECTED),
                "forgotten: more than 20000 names were seen, and it was gone longest"));
  }

  private void leave(String name, int millis) {
    participantTable.take(new PresenceNotice.Left(name, "", "done", at(millis)));
    var _ = participantTable.look(at(millis), VIGIL);
  }

  @Test
  void whoHasJustComeBackIsNotForgotten() {
    fill(ParticipantTable.NAMES);
    leave("n7", 30_000);
    leave("n8", 30_001);
    participantTable.take(new PresenceNotice.Spoken("new", at(30_002)));
    participantTable.take(new PresenceNotice.Spoken("n8", at(30_003)));
    participantTable.take(new PresenceNotice.Spoken("newer", at(30_004)));
    var _ = participantTable.look(at(30_004), VIGIL);
    assertThat(names()).contains("n8", "new").doesNotContain("n7", "newer");
  }

  @Test
  void whenAllAreThereANewNameIsNotTakenIn() {
    fill(ParticipantTable.NAMES);
    participantTable.take(new PresenceNotice.Spoken("new", at(30_000)));
    assertThat(names()).hasSize(ParticipantTable.NAMES).doesNotContain("new");
  }

  /** Denial of service: unknown senders that fill the registry don't fill the log as well. */
  @Test
  void whoIsLeftOutIsLoggedOnceAMinute() {
    Logger logger = (Logger) LoggerFactory.getLogger(ParticipantTable.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try {
      fill(ParticipantTable.NAMES);
      for (int i = 0; i < 10; i++) {
        participantTable.take(new PresenceNotice.Spoken("new" + i, at(30_000)));
        var _ = participantTable.takeBatch(BEGIN, VIGIL, true);
      }
    } finally {
      logger.detachAppender(log);
    }
    assertThat(List.copyOf(log.list)).hasSize(1);
  }

  @Test
  void whatCouldNotBeWrittenIsWrittenLaterInItsOrder() {
    participantTable.take(new PresenceNotice.Spoken("a", at(0)));
    var _ = participantTable.look(at(0), VIGIL);
    ParticipantTable.Batch failed = participantTable.takeBatch(BEGIN, VIGIL, true);
    participantTable.take(new PresenceNotice.Spoken("b", at(1)));
    var _ = participantTable.look(at(1), VIGIL);
    participantTable.giveBack(failed);
    ParticipantTable.Batch batch = participantTable.takeBatch(BEGIN, VIGIL, true);
    assertThat(batch.changes()).extracting(StateChange::madId).containsExactly("a", "b");
    assertThat(batch.rows()).extracting(ParticipantRow::madId).containsExactlyInAnyOrder("a", "b");
    assertThat(participantTable.takeBatch(BEGIN, VIGIL, true).isEmpty()).isTrue();
  }

  @Test
  @TriesLimit("rogers.state-changes")
  void oneChangeTooManyLosesTheOldest() {
    fill(ParticipantTable.CHANGES);
    leave("n7", 30_000);
    List<StateChange> waiting = participantTable.takeBatch(BEGIN, VIGIL, true).changes();
    assertThat(waiting).hasSize(ParticipantTable.CHANGES);
    assertThat(waiting.getLast().madId()).isEqualTo("n7");
  }

  @Test
  void rowsOfWhomWasOnlyHeardAreWrittenSoManyAtATimeAndNoneIsLost() {
    fill(ParticipantTable.STIRRED_TOGETHER + 1);
    var _ = participantTable.takeBatch(BEGIN, VIGIL, true);
    for (int i = 0; i <= ParticipantTable.STIRRED_TOGETHER; i++) {
      participantTable.take(new PresenceNotice.Spoken("n" + i, at(20_000)));
    }
    assertThat(participantTable.takeBatch(BEGIN, VIGIL, false).isEmpty()).isTrue();
    assertThat(participantTable.takeBatch(BEGIN, VIGIL, true).rows())
        .hasSize(ParticipantTable.STIRRED_TOGETHER);
    assertThat(participantTable.takeBatch(BEGIN, VIGIL, true).rows()).hasSize(1);
  }

  @Test
  @TriesLimit("rogers.more-instances")
  void instancesBeyondTheBudgetOfAllNamesReplaceTheirOwnSilentLongest() {
    int names = ParticipantTable.MORE_INSTANCES / (KnownParticipant.INSTANCES - 1) + 1;
    for (int name = 0; name < names; name++) {
      for (int instance = 0; instance < KnownParticipant.INSTANCES; instance++) {
        participantTable.take(
            new PresenceNotice.Joined("n" + name, "i" + instance, at(name + instance)));
      }
    }
    assertThat(instances()).isEqualTo(names + ParticipantTable.MORE_INSTANCES);
    participantTable.take(new PresenceNotice.Joined("quiet", "first", at(1)));
    participantTable.take(new PresenceNotice.Joined("quiet", "second", at(2)));
    assertThat(instances()).isEqualTo(names + ParticipantTable.MORE_INSTANCES + 1);
    assertThat(participantTable.rows(BEGIN, VIGIL))
        .filteredOn(row -> row.madId().equals("quiet"))
        .flatExtracting(ParticipantRow::instances)
        .extracting(InstanceState::instance)
        .containsExactly("second");
  }

  private int instances() {
    return participantTable.rows(BEGIN, VIGIL).stream()
        .mapToInt(row -> row.instances().size())
        .sum();
  }
}
