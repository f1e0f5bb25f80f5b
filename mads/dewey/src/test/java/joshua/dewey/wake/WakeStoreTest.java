package joshua.dewey.wake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.dewey.DeweyFixture;
import joshua.dewey.thread.ThreadStatus;
import joshua.dewey.thread.ThreadStore;
import joshua.dewey.thread.ThreadStore.Head;
import joshua.dewey.wake.WakeStore.Attention;
import joshua.dewey.wake.WakeStore.Claim;
import joshua.dewey.wake.WakeStore.Event;
import joshua.dewey.wake.WakeStore.Outcome;
import joshua.dewey.wake.WakeStore.Report;
import joshua.kernel.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of wakes; the numbers are those of the statements in the requirements of threads. */
class WakeStoreTest extends DeweyFixture {
  private static final UUID THREAD = new UUID(7, 0);

  private final List<Event> events = new ArrayList<>();
  private Instant now = START;
  private int messages;

  @BeforeEach
  void registerAnn() {
    register(null, null);
  }

  private void register(Attention attention, Instant quietUntil) {
    write(tx -> WakeStore.register(tx, "ann", attention, quietUntil, now));
  }

  private void mail() {
    String sql =
        "insert into mail (recipient, position, message_id, sender_id) values (?, ?, ?, ?)";
    messages++;
    database.write(tx -> tx.update(sql, "ann", messages, new UUID(9, messages), "bob"));
  }

  private void mark(String what, int upTo) {
    String sql = "update mail set %s_at = ? where position <= ?".formatted(what);
    database.write(tx -> tx.update(sql, now, upTo));
  }

  private void pass(long seconds) {
    now = now.plusSeconds(seconds);
    database.write(tx -> WakeStore.tick(tx, now, events));
  }

  private Optional<Claim> claim() {
    pass(0);
    return database.write(tx -> WakeStore.claim(tx, "ann", now));
  }

  private boolean report(Claim claim, Outcome outcome, String detail) {
    Report report = new Report(claim.wakeId(), claim.attempt(), outcome, detail);
    return database.<Boolean>write(tx -> WakeStore.report(tx, "ann", report, now, events));
  }

  private List<String> states() {
    return database.read(
        tx -> tx.rows(String.class, "select state || ' ' || tries from wake order by wake_id"));
  }

  @Test
  void t13TwentyMessagesAreOneWakeUntilTheyAreCollected() {
    mail();
    Claim claim = claim().orElseThrow();
    for (int i = 0; i < 20; i++) {
      mail();
      assertThat(claim()).isEmpty();
    }
    mark("collected", 1);
    pass(1);
    assertThat(states()).as("the first is done, others are due").containsExactly("DONE 1", "DUE 0");
    assertThat(report(claim, Outcome.ENDED, null)).as("it came late").isTrue();
    assertThat(claim()).isPresent();
    mark("collected", 21);
    pass(1);
    assertThat(states()).containsExactly("DONE 1", "DONE 1");
  }

  @Test
  void aWakeIsWithoutARunnerWhoHasNotCalledForAMinute() {
    mail();
    pass(60);
    assertThat(problem()).isEmpty();
    pass(1);
    assertThat(problem())
        .hasValue("Nobody wakes ann (no runner), though messages wait: see joshua wakes.");
    write(tx -> tx.update("update waker set paused_reason = 'three equal failures'"));
    assertThat(problem()).hasValueSatisfying(it -> assertThat(it).contains("ann (paused)"));
    mark("collected", 1);
    assertThat(problem()).isEmpty();
  }

  private Optional<String> problem() {
    return database.read(tx -> WakeStore.problem(tx, now));
  }

  @Test
  void aReportOfAnothersAttemptChangesNothing() {
    mail();
    Claim claim = claim().orElseThrow();
    Report report = new Report(claim.wakeId(), claim.attempt(), Outcome.FAILED, "bob's");
    assertThat(database.<Boolean>write(tx -> WakeStore.report(tx, "bob", report, now, events)))
        .isFalse();
    assertThat(number("select count(*) from wake_attempt where outcome = 'running'")).isEqualTo(1);
  }

  @Test
  void whatAnAnswerGaveBeforeAnAttemptNeedsNone() {
    mail();
    report(claim().orElseThrow(), Outcome.THERE, null); // a window is being told
    pass(1);
    mark("given", 1);
    pass(1);
    assertThat(states()).isEmpty();
  }

  @Test
  void whatAStoppedTurnWasGivenWakesAgain() {
    mail();
    Claim claim = claim().orElseThrow();
    mark("given", 1);
    report(claim, Outcome.STOPPED, null);
    pass(5);
    assertThat(claim()).hasValueSatisfying(it -> assertThat(it.tries()).isEqualTo(1));
  }

  @Test
  void aTurnThatEndedWellHadWhatItWasGiven() {
    mail();
    Claim claim = claim().orElseThrow();
    mark("given", 1);
    pass(1);
    assertThat(states()).as("it may be killed yet").containsExactly("RUNNING 1");
    report(claim, Outcome.ENDED, null);
    pass(1);
    assertThat(states()).containsExactly("DONE 1");
  }

  @Test
  void t15AKilledRunnerIsReplacedAndItsReportComesTooLate() {
    mail();
    Claim first = claim().orElseThrow();
    pass(40);
    report(first, Outcome.RUNNING, null);
    pass(59);
    assertThat(states()).containsExactly("RUNNING 1");
    pass(2);
    pass(4);
    Claim second = claim().orElseThrow();
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(report(first, Outcome.ENDED, null)).isFalse();
  }

  @Test
  void t18AndT19ThreeEqualFailuresAreDeadAndPausedUntilAPersonHelps() {
    open(THREAD);
    post("bob");
    for (int i = 1; i <= 3; i++) {
      report(claim().orElseThrow(), Outcome.FAILED, "status 1: request %d refused".formatted(i));
      assertThat(claim()).as("not at once").isEmpty();
      pass(60);
    }
    assertThat(states()).containsExactly("DEAD 3");
    assertThat(events)
        .extracting(Event::event)
        .containsExactly("wake_dead", "waker_paused", "thread_blocked");
    assertThat(events).extracting(Event::detail).noneMatch(detail -> detail.contains("request"));
    mail();
    assertThat(claim()).as("it is paused").isEmpty();
    database.write(tx -> WakeStore.again(tx, "ann", now));
    assertThat(claim().orElseThrow().tries()).isEqualTo(1);
  }

  @Test
  void whatWasDeadWakesNobodyUntilThereIsMore() {
    mail();
    for (String error : List.of("a", "b", "c")) {
      report(claim().orElseThrow(), Outcome.FAILED, error);
      pass(60);
    }
    assertThat(events).extracting(Event::event).containsExactly("wake_dead");
    assertThat(claim()).isEmpty();
    mail();
    assertThat(claim()).isPresent();
  }

  @Test
  void anEndWithoutCollectingIsAFailureAfterAMinute() {
    mail();
    report(claim().orElseThrow(), Outcome.ENDED, null);
    pass(61);
    assertThat(states()).containsExactly("DUE 1");
  }

  @Test
  void t16TheEleventhInAMinuteWaits() {
    for (int i = 1; i <= 10; i++) {
      mail();
      assertThat(claim()).isPresent();
      mark("collected", i);
      pass(1);
    }
    mail();
    assertThat(claim()).isEmpty();
    pass(60);
    assertThat(claim()).isPresent();
  }

  @Test
  void t17SomebodyWhoTypesDefersForAMinuteAndASessionForAsLongAsItIsThere() {
    mail();
    for (int i = 0; i < 30; i++) {
      report(claim().orElseThrow(), Outcome.THERE, null);
      pass(5);
    }
    for (int i = 0; i < 12; i++) {
      claim().ifPresent(claim -> report(claim, Outcome.BUSY, null));
      pass(6);
    }
    assertThat(states()).containsExactly("DUE 1");
    assertThat(events).isEmpty();
  }

  @Test
  void t19TwentyRoundsWithoutAWordBlockTheThreadOnce() {
    open(THREAD);
    for (int i = 1; i <= 25; i++) {
      if (i == 6) {
        post("ann"); // which ends the first five
        pass(1);
      }
      post("bob");
      claim().orElseThrow();
      mark("collected", messages);
      pass(10);
    }
    post("bob");
    assertThat(claim()).isEmpty();
    post("bob");
    assertThat(claim()).isEmpty();
    assertThat(events).extracting(Event::event).containsExactly("waker_paused", "thread_blocked");
    assertThat(head().status()).isEqualTo(ThreadStatus.BLOCKED);
    pass(1);
    post("ann");
    post("bob");
    assertThat(claim()).as("its own word resumes").isPresent();
  }

  private Head head() {
    return database.read(tx -> ThreadStore.find(tx, THREAD)).orElseThrow();
  }

  private void open(UUID thread) {
    Head head = new Head(thread, "t", "workflow", ThreadStatus.ACTIVE, "bob", now, now, 0);
    write(tx -> ThreadStore.create(tx, head, List.of("ann", "bob")));
  }

  private void post(String sender) {
    Head head = head();
    UUID id = new UUID(9, messages + 1L);
    ThreadStore.Post post =
        new ThreadStore.Post(head.lastSeq() + 1, id, sender, "chat", null, now, Json.object());
    write(tx -> ThreadStore.add(tx, THREAD, post, null, head.status()));
    if (sender.equals("bob")) {
      mail();
    } else {
      messages++;
    }
  }

  @Test
  void attentionAndQuietAreHeld() {
    register(Attention.NONE, null);
    mail();
    assertThat(claim()).isEmpty();
    register(Attention.ALL, now.plus(Duration.ofHours(8)));
    assertThat(claim()).isEmpty();
    pass(Duration.ofHours(9).toSeconds());
    assertThat(claim()).isPresent();
  }
}
