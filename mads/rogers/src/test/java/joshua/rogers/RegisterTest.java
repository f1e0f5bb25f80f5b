package joshua.rogers;

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

class RegisterTest {
  private static final Instant BEGIN = Instant.parse("2026-11-18T12:00:00Z");
  private static final Vigil VIGIL = new Vigil(BEGIN, Thresholds.CONTRACT);

  private final Register register = new Register();

  private static Instant at(int millis) {
    return BEGIN.plusMillis(millis);
  }

  private void fill(int names) {
    for (int i = 0; i < names; i++) {
      register.take(new Notice.Spoken("n" + i, at(i)));
    }
    var _ = register.look(at(names), VIGIL);
  }

  private List<String> names() {
    return register.rows(BEGIN, VIGIL).stream().map(Attendance::madId).toList();
  }

  @Test
  @TriesLimit("rogers.participants")
  void oneNameTooManyDisplacesTheOneThatIsGoneLongest() {
    fill(Register.NAMES);
    leave("n7", 30_000);
    leave("n3", 30_001);
    var _ = register.takeBatch(BEGIN, VIGIL, true);
    register.take(new Notice.Spoken("new", at(30_002)));
    var _ = register.look(at(30_002), VIGIL);
    assertThat(names()).hasSize(Register.NAMES).contains("new", "n3").doesNotContain("n7");

    Register.Batch batch = register.takeBatch(BEGIN, VIGIL, true);
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
    register.take(new Notice.Left(name, "", "done", at(millis)));
    var _ = register.look(at(millis), VIGIL);
  }

  @Test
  void whoHasJustComeBackIsNotForgotten() {
    fill(Register.NAMES);
    leave("n7", 30_000);
    leave("n8", 30_001);
    register.take(new Notice.Spoken("new", at(30_002)));
    register.take(new Notice.Spoken("n8", at(30_003)));
    register.take(new Notice.Spoken("newer", at(30_004)));
    var _ = register.look(at(30_004), VIGIL);
    assertThat(names()).contains("n8", "new").doesNotContain("n7", "newer");
  }

  @Test
  void whenAllAreThereANewNameIsNotTakenIn() {
    fill(Register.NAMES);
    register.take(new Notice.Spoken("new", at(30_000)));
    assertThat(names()).hasSize(Register.NAMES).doesNotContain("new");
  }

  /** Denial of service: strangers who fill the register don't fill the log as well. */
  @Test
  void whoIsLeftOutIsLoggedOnceAMinute() {
    Logger logger = (Logger) LoggerFactory.getLogger(Register.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try {
      fill(Register.NAMES);
      for (int i = 0; i < 10; i++) {
        register.take(new Notice.Spoken("new" + i, at(30_000)));
        var _ = register.takeBatch(BEGIN, VIGIL, true);
      }
    } finally {
      logger.detachAppender(log);
    }
    assertThat(List.copyOf(log.list)).hasSize(1);
  }

  @Test
  void whatCouldNotBeWrittenIsWrittenLaterInItsOrder() {
    register.take(new Notice.Spoken("a", at(0)));
    var _ = register.look(at(0), VIGIL);
    Register.Batch failed = register.takeBatch(BEGIN, VIGIL, true);
    register.take(new Notice.Spoken("b", at(1)));
    var _ = register.look(at(1), VIGIL);
    register.giveBack(failed);
    Register.Batch batch = register.takeBatch(BEGIN, VIGIL, true);
    assertThat(batch.changes()).extracting(StateChange::madId).containsExactly("a", "b");
    assertThat(batch.rows()).extracting(Attendance::madId).containsExactlyInAnyOrder("a", "b");
    assertThat(register.takeBatch(BEGIN, VIGIL, true).isEmpty()).isTrue();
  }

  @Test
  @TriesLimit("rogers.state-changes")
  void oneChangeTooManyLosesTheOldest() {
    fill(Register.CHANGES);
    leave("n7", 30_000);
    List<StateChange> waiting = register.takeBatch(BEGIN, VIGIL, true).changes();
    assertThat(waiting).hasSize(Register.CHANGES);
    assertThat(waiting.getLast().madId()).isEqualTo("n7");
  }

  @Test
  void rowsOfWhomWasOnlyHeardAreWrittenSoManyAtATimeAndNoneIsLost() {
    fill(Register.STIRRED_TOGETHER + 1);
    var _ = register.takeBatch(BEGIN, VIGIL, true);
    for (int i = 0; i <= Register.STIRRED_TOGETHER; i++) {
      register.take(new Notice.Spoken("n" + i, at(20_000)));
    }
    assertThat(register.takeBatch(BEGIN, VIGIL, false).isEmpty()).isTrue();
    assertThat(register.takeBatch(BEGIN, VIGIL, true).rows()).hasSize(Register.STIRRED_TOGETHER);
    assertThat(register.takeBatch(BEGIN, VIGIL, true).rows()).hasSize(1);
  }

  @Test
  @TriesLimit("rogers.more-instances")
  void instancesBeyondTheBudgetOfAllNamesReplaceTheirOwnSilentLongest() {
    int names = Register.MORE_INSTANCES / (Attendee.INSTANCES - 1) + 1;
    for (int name = 0; name < names; name++) {
      for (int instance = 0; instance < Attendee.INSTANCES; instance++) {
        register.take(new Notice.Joined("n" + name, "i" + instance, at(name + instance)));
      }
    }
    assertThat(instances()).isEqualTo(names + Register.MORE_INSTANCES);
    register.take(new Notice.Joined("quiet", "first", at(1)));
    register.take(new Notice.Joined("quiet", "second", at(2)));
    assertThat(instances()).isEqualTo(names + Register.MORE_INSTANCES + 1);
    assertThat(register.rows(BEGIN, VIGIL))
        .filteredOn(row -> row.madId().equals("quiet"))
        .flatExtracting(Attendance::instances)
        .extracting(Life::instance)
        .containsExactly("second");
  }

  private int instances() {
    return register.rows(BEGIN, VIGIL).stream().mapToInt(row -> row.instances().size()).sum();
  }
}
