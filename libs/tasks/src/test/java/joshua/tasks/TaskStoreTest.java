package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.kernel.MonotonicIds;
import joshua.state.Database;
import joshua.state.Job;
import joshua.tasks.Tasks.Answer;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import joshua.testing.ManualTime;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes share a database; time is moved by hand. */
class TaskStoreTest {
  private static final TaskLimits LIMITS =
      new TaskLimits(16, 1_000, Duration.ofMinutes(10), Duration.ofDays(30));
  private static final Outcome DONE = new Outcome.Completed(Json.object(), "m", null);

  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final MonotonicIds ids = new MonotonicIds(time);
  private final TaskStore one = new TaskStore("one", LIMITS, time);
  private final TaskStore two = new TaskStore("two", LIMITS, time);
  @TempDir Path directory;
  @AutoClose private Database database;

  @BeforeEach
  void open() throws IOException {
    database = Database.open(directory.resolve("tasks.db"), TaskStore.MIGRATIONS, time);
  }

  private <T> T write(Job<T> job) {
    return database.write(job);
  }

  private static TaskRequest request(String prompt, UUID conversation, String key) {
    return new TaskRequest(
        "ann", Task.Kind.WORK, prompt, Json.object(), conversation, new UUID(0, 9), key, false);
  }

  private Answer.Pending accept(TaskRequest request, boolean held) {
    UUID conversation = Objects.requireNonNullElseGet(request.conversationId(), ids::next);
    Task task = Task.of(request, ids.next(), conversation, time.instant(), 1);
    return (Answer.Pending) write(tx -> one.accept(tx, task, request, held));
  }

  private UUID accept(String prompt) {
    return accept(request(prompt, null, null), false).taskId();
  }

  private Task find(UUID id) {
    return database.read(tx -> Tasks.find(tx, id)).orElseThrow();
  }

  private Task claimOne(TaskStore store) {
    List<Task> tasks = write(tx -> store.claim(tx, 1));
    assertThat(tasks).hasSize(1);
    return tasks.getFirst();
  }

  private static HeldTask held(Task task) {
    return new HeldTask(task, task.attempts(), 0, any -> {});
  }

  private TaskStore.Workload renewLeases(TaskStore store, UUID... mine) {
    Set<UUID> known = Set.of(mine);
    return write(tx -> store.renewLeases(tx, known));
  }

  private boolean save(TaskStore store, HeldTask held) {
    HeldTask.Step step = held.step();
    boolean kept = write(store.save(step));
    if (kept) {
      held.stored(step);
    }
    return kept;
  }

  @Test
  void theSameWordsAreOneTaskUntilItHasEnded() {
    UUID first = accept("p");
    assertThat(accept(request("p", null, null), false).taskId()).isEqualTo(first);
    assertThat(accept(request("p", new UUID(1, 1), null), false).known()).isFalse();
    assertThat(accept(request("q", null, null), false).known()).isFalse();
    HeldTask held = held(claimOne(one));
    assertThat(held.task().id()).isEqualTo(first);
    assertThat(accept(request("p", null, null), false).known()).isTrue();
    held.end(DONE);
    assertThat(save(one, held)).isTrue();
    assertThat(accept(request("p", null, null), false).known()).isFalse();
  }

  @Test
  void tasksAreClaimedInTheirOrderAndOnce() {
    List<UUID> accepted = List.of(accept("a"), accept("b"), accept("c"));
    List<Task> some = write(tx -> one.claim(tx, 2));
    List<Task> rest = write(tx -> two.claim(tx, 2));
    assertThat(some).extracting(Task::id).containsExactlyElementsOf(accepted.subList(0, 2));
    assertThat(rest).extracting(Task::id).containsExactlyElementsOf(accepted.subList(2, 3));
    assertThat(some).allSatisfy(task -> assertThat(task.status()).isEqualTo(Task.Status.RUNNING));
  }

  @Test
  void whoIsOvertakenStoresNothing() {
    UUID id = accept(request("p", null, null), true).taskId();
    HeldTask first = held(find(id));
    first.text("a");
    assertThat(save(one, first)).isTrue();
    assertThat(find(id).status()).isEqualTo(Task.Status.STREAMING);

    time.advance(LIMITS.lease());
    assertThat(renewLeases(two).waiting()).isEqualTo(1);
    assertThat(find(id).status()).isEqualTo(Task.Status.PENDING);
    List<Task> early = write(tx -> two.claim(tx, 1));
    assertThat(early).as("it backs off").isEmpty();
    time.advance(LIMITS.backOff());
    Task second = claimOne(two);
    assertThat(second.attempts()).isEqualTo(2);

    first.text("b");
    assertThat(save(one, first)).isFalse();
    first.end(DONE);
    assertThat(save(one, first)).isFalse();
    HeldTask held = held(second);
    held.text("c");
    held.end(DONE);
    assertThat(save(two, held)).isTrue();
    Task ended = find(id);
    assertThat(ended.status()).isEqualTo(Task.Status.COMPLETED);
    assertThat(ended.resultPayload()).isEqualTo("{\"text\":\"c\"}");
    List<Frame> frames = database.read(tx -> Tasks.frames(tx, ended, 0, 10));
    assertThat(frames)
        .containsExactly(new Frame(0, null, "", false), new Frame(1, null, "c", true));
    assertThat(database.<Long>read(tx -> tx.number("select count(*) from frame")))
        .as("earlier attempts are forgotten")
        .isEqualTo(2);
  }

  @Test
  void aLeaseIsRenewedAndAnEndedTaskIsLeftToItsHolder() {
    UUID id = accept(request("p", null, null), true).taskId();
    for (int i = 0; i < 5; i++) {
      time.advance(LIMITS.lease().dividedBy(2));
      renewLeases(one, id);
      assertThat(renewLeases(two).waiting()).isZero();
    }
    HeldTask held = held(find(id));
    held.end(new Outcome.Failed("no", "trace"));
    assertThat(save(one, held)).isTrue();
    assertThat(find(id).errorDetails()).isEqualTo("{\"message\":\"no\",\"stack_trace\":\"trace\"}");
    assertThat(renewLeases(two).unnotified()).isEmpty();
    time.advance(LIMITS.lease());
    assertThat(renewLeases(two).unnotified()).containsExactly(id);
    write(tx -> TaskStore.deleteEnded(tx, id));
    time.advance(LIMITS.lease());
    assertThat(renewLeases(one).unnotified()).isEmpty();
  }

  @Test
  void aProcessThatSleptKeepsItsOwn() {
    UUID id = accept(request("p", null, null), true).taskId();
    time.advance(LIMITS.lease().multipliedBy(10));
    assertThat(renewLeases(one, id).waiting()).isZero();
    time.advance(LIMITS.lease());
    assertThat(renewLeases(one).waiting()).as("it has lost sight of it").isEqualTo(1);
  }

  @Test
  void triesAreUsedUpByCrashesAlone() {
    UUID id = accept("p");
    for (int i = 0; i < 5; i++) {
      claimOne(one);
      write(one::giveBack);
    }
    for (int i = 0; i < LIMITS.tries(); i++) {
      assertThat(claimOne(one).triesLeft()).isNotNegative();
      time.advance(LIMITS.lease());
      renewLeases(two);
      time.advance(LIMITS.backOff());
    }
    assertThat(claimOne(one).triesLeft()).isNegative();
    assertThat(find(id).attempts()).isEqualTo(5 + LIMITS.tries() + 1);
  }

  @Test
  void anInterruptedOneIsTakenUpAgainHoweverOften() {
    Task task = claim("p");
    for (int i = 0; i < 5; i++) {
      HeldTask held = held(task);
      held.end(new Outcome.Interrupted());
      assertThat(save(one, held)).isTrue();
      time.advance(LIMITS.backOff());
      task = claimOne(one);
    }
    assertThat(task.attempts()).isEqualTo(6);
    assertThat(task.triesLeft()).isNotNegative();
  }

  private Task claim(String prompt) {
    accept(prompt);
    return claimOne(one);
  }

  @Test
  void aTaskIsStreamingWhileTextComes() {
    HeldTask held = held(claim("p"));
    held.text("a");
    save(one, held);
    time.advance(Duration.ofMillis(1_999));
    renewLeases(one, held.task().id());
    assertThat(find(held.task().id()).status()).isEqualTo(Task.Status.STREAMING);
    time.advance(Duration.ofMillis(1));
    renewLeases(one, held.task().id());
    assertThat(find(held.task().id()).status()).isEqualTo(Task.Status.RUNNING);
    held.text("b");
    save(one, held);
    assertThat(find(held.task().id()).status()).isEqualTo(Task.Status.STREAMING);
  }

  @Test
  void whoWantsATaskToEndIsNoted() {
    UUID running = claim("p").id();
    UUID waiting = accept("q");
    accept("r");
    assertThat(cancel(running)).isTrue();
    assertThat(cancel(waiting)).isTrue();
    assertThat(renewLeases(one).cancelled())
        .containsExactly(new TaskStore.Cancelled(running, "bob"));
    Task next = claimOne(two);
    assertThat(next.id()).isEqualTo(waiting);
    assertThat(next.cancelledBy()).isEqualTo("bob");
    HeldTask held = held(find(running));
    held.end(DONE);
    save(one, held);
    assertThat(cancel(running)).isFalse();
  }

  private boolean cancel(UUID id) {
    return write(tx -> two.cancel(tx, id, "bob"));
  }

  @Test
  void oldTasksGoUnlessTheyAreStillToBeDone() {
    Task ended = claim("p");
    UUID waiting = accept("q");
    HeldTask held = held(ended);
    held.end(DONE);
    save(one, held);
    write(tx -> TaskStore.deleteEnded(tx, ended.id()));
    time.advance(LIMITS.retention());
    assertThat(write(one::prune)).as("just as old").isZero();
    time.advance(Duration.ofSeconds(1));
    assertThat(write(one::prune)).isEqualTo(1);
    assertThat(database.<Long>read(tx -> tx.number("select count(*) from frame"))).isZero();
    assertThat(find(waiting).status()).isEqualTo(Task.Status.PENDING);
  }

  @Test
  void tasksAreListedNewestFirst() {
    UUID a = accept("a");
    UUID b = accept("b");
    claimOne(one);
    assertThat(list(null, null, 10)).containsExactly(b, a);
    assertThat(list(null, null, 1)).containsExactly(b);
    assertThat(list(null, b, 10)).containsExactly(a);
    assertThat(list(Task.Status.RUNNING, null, 10)).containsExactly(a);
    assertThat(list(Task.Status.PENDING, null, 10)).containsExactly(b);
    assertThat(list(Task.Status.STREAMING, null, 10)).isEmpty();
    assertThat(list(Task.Status.FAILED, null, 10)).isEmpty();
  }

  private List<UUID> list(Task.Status status, UUID before, int limit) {
    Tasks.Filter filter = new Tasks.Filter("ann", status, Task.Kind.WORK, before, limit);
    List<Task> tasks = database.read(tx -> Tasks.list(tx, filter));
    return tasks.stream().map(Task::id).toList();
  }

  @Test
  void theViewHasTheColumnsOfTheDesign() {
    UUID id = accept("p");
    String row = database.read(tx -> tx.table("select * from tasks").toString());
    assertThat(row)
        .isEqualTo(
            "[{\"task_id\":\"%s\",\"status\":\"PENDING\",\"requester_id\":\"ann\",\"prompt\":\"p\","
                    .formatted(id)
                + "\"result_payload\":null,\"error_details\":null,"
                + "\"created_at\":\"2026-01-01T00:00:00.000Z\","
                + "\"updated_at\":\"2026-01-01T00:00:00.000Z\"}]");
  }
}
