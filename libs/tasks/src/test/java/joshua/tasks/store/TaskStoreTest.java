package joshua.tasks.store;

import static joshua.tasks.TaskRows.NOON;
import static joshua.tasks.TaskRows.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.tasks.TaskRows;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.CancellationResult;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskSummary;
import joshua.tasks.worker.TaskManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of tasks as their requesters see them. */
final class TaskStoreTest {
  private static final UUID GREATEST = UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff");

  @TempDir Path directory;
  private TaskRows rows;
  private TaskStore store;

  @BeforeEach
  void open() throws Exception {
    rows = new TaskRows(directory);
    store = rows.store;
  }

  @AfterEach
  void close() {
    rows.close();
  }

  private AcceptanceResult accept(TaskRequest request, int limit) throws Exception {
    return store.accept(UUID.randomUUID(), request, rows.time.instant(), limit);
  }

  private static void assertRefused(AcceptanceResult result, ErrorCode code, String message) {
    assertThat(result)
        .isInstanceOfSatisfying(
            AcceptanceResult.Refused.class,
            refused -> assertRefusal(refused.refusal(), code, message));
  }

  private static void assertRefusal(Refusal refusal, ErrorCode code, String message) {
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.message()).contains(message);
  }

  @Test
  void anAcceptedTaskIsThereAsItWasAskedFor() throws Exception {
    TaskRequest request = request("ann", "say hello", Optional.of("key"));
    AcceptanceResult.Accepted accepted = (AcceptanceResult.Accepted) accept(request, 1);
    assertThat(accepted.repeated()).isFalse();
    assertThat(accepted.correlationId()).isEqualTo(request.correlationId());
    Task task = rows.task(accepted.taskId());
    assertThat(task)
        .isEqualTo(
            new Task(
                accepted.taskId(),
                TaskManager.CONVERSE,
                TaskKind.WORK,
                TaskState.PENDING,
                "ann",
                "say hello",
                "{}",
                accepted.conversationId(),
                request.correlationId(),
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                NOON,
                NOON));
    assertThat(rows.stage(task.id())).contains("WAITING");
    assertThat(store.find(UUID.randomUUID())).isEmpty();
  }

  @Test
  void asManyAsTheLimitWaitOrRunAndOneMoreIsRefusedUntilOneHasEnded() throws Exception {
    LeaseStore leases = rows.leases("one");
    accept(request("ann", "1", Optional.empty()), 2);
    LeasedTask running = rows.take(leases);
    assertThat(accept(request("bob", "2", Optional.empty()), 2))
        .isInstanceOf(AcceptanceResult.Accepted.class);
    assertRefused(
        accept(request("bob", "3", Optional.empty()), 2),
        ErrorCode.OVERLOADED,
        "2 tasks wait or run already");
    rows.complete(running);
    assertThat(accept(request("bob", "3", Optional.empty()), 2))
        .isInstanceOf(AcceptanceResult.Accepted.class);
  }

  @Test
  void theSameKeyIsTheSameTaskForOneRequesterAlsoWhereThereIsNoRoom() throws Exception {
    TaskRequest request = request("ann", "say hello", Optional.of("key"));
    AcceptanceResult.Accepted first = (AcceptanceResult.Accepted) accept(request, 1);
    AcceptanceResult.Accepted again =
        (AcceptanceResult.Accepted) accept(request("ann", "say hello", Optional.of("key")), 1);
    assertThat(again.taskId()).isEqualTo(first.taskId());
    assertThat(again.correlationId()).isEqualTo(first.correlationId());
    assertThat(again.repeated()).isTrue();
    assertRefused(
        accept(request("ann", "say goodbye", Optional.of("key")), 1),
        ErrorCode.CONFLICT,
        "idempotency_key was used for task " + first.taskId());
    assertThat(accept(request("bob", "say goodbye", Optional.of("key")), 2))
        .isInstanceOfSatisfying(
            AcceptanceResult.Accepted.class,
            other -> assertThat(other.taskId()).isNotEqualTo(first.taskId()));
  }

  @Test
  void aKeyHasAtMostSoManyCharacters() {
    String longest = "k".repeat(TaskRequest.MAX_KEY);
    assertThat(request("ann", "x", Optional.of(longest)).idempotencyKey()).contains(longest);
    for (String bad : List.of(longest + "k", "")) {
      assertThatThrownBy(() -> request("ann", "x", Optional.of(bad)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private List<String> listed(
      Optional<String> requester,
      Optional<TaskState> state,
      Optional<TaskKind> kind,
      Optional<String> prefix,
      Optional<UUID> before,
      int limit)
      throws Exception {
    return store.list(new TaskFilter(requester, state, kind, prefix, before, limit)).stream()
        .map(TaskSummary::prompt)
        .toList();
  }

  @Test
  void aListIsNewestFirstAndOfThoseThatWereAskedFor() throws Exception {
    UUID first = rows.accept("1");
    rows.take(rows.leases("one"));
    rows.time.advance(Duration.ofHours(1));
    UUID second = rows.accept(request("bob", "2", Optional.empty()));
    UUID third = rows.accept("3");
    Optional<String> any = Optional.empty();
    assertThat(listed(any, Optional.empty(), Optional.empty(), any, Optional.empty(), 10))
        .containsExactly("3", "2", "1");
    assertThat(listed(any, Optional.empty(), Optional.empty(), any, Optional.empty(), 2))
        .containsExactly("3", "2");
    assertThat(
            listed(
                Optional.of("ann"), Optional.empty(), Optional.empty(), any, Optional.empty(), 9))
        .containsExactly("3", "1");
    assertThat(
            listed(any, Optional.of(TaskState.RUNNING), Optional.empty(), any, Optional.empty(), 9))
        .containsExactly("1");
    assertThat(listed(any, Optional.empty(), Optional.empty(), any, Optional.of(third), 9))
        .containsExactly("2", "1");
    assertThat(
            listed(
                any,
                Optional.empty(),
                Optional.empty(),
                Optional.of(first.toString()),
                Optional.empty(),
                9))
        .containsExactly("1");
    assertThat(
            listed(any, Optional.empty(), Optional.of(TaskKind.QUESTION), any, Optional.empty(), 9))
        .isEmpty();
    assertThat(second).isLessThan(third);
  }

  @Test
  void aListShowsTheBeginningOfALongPromptAndHasAtMostSoManyTasks() throws Exception {
    rows.accept("x".repeat(TaskSummary.PROMPT_CHARACTERS + 1));
    Optional<String> any = Optional.empty();
    assertThat(
            listed(
                any,
                Optional.empty(),
                Optional.empty(),
                any,
                Optional.empty(),
                TaskFilter.MAX_LIMIT))
        .containsExactly("x".repeat(TaskSummary.PROMPT_CHARACTERS));
    for (int bad : List.of(0, TaskFilter.MAX_LIMIT + 1)) {
      assertThatThrownBy(
              () -> listed(any, Optional.empty(), Optional.empty(), any, Optional.empty(), bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aWaitingTaskIsCancelledAtOnceAndNeedsToBeTold() throws Exception {
    UUID id = rows.accept("x");
    assertThat(store.cancel(id, "bob", NOON.plusSeconds(1)))
        .isEqualTo(new CancellationResult.Heard(TaskState.FAILED));
    Task task = rows.task(id);
    assertThat(task.isCancelled()).isTrue();
    assertThat(task.error().map(TaskError::message)).contains("cancelled by bob");
    assertThat(task.updatedAt()).isEqualTo(NOON.plusSeconds(1));
    assertThat(rows.stage(id)).contains("TELLING");
    assertThat(store.cancel(id, "ann", NOON))
        .isInstanceOfSatisfying(
            CancellationResult.Refused.class,
            refused ->
                assertRefusal(
                    refused.refusal(), ErrorCode.CONFLICT, "is FAILED already; there is nothing"));
  }

  @Test
  void theCancellationOfARunningTaskIsNotedForItsHolderAndTheFirstCounts() throws Exception {
    UUID id = rows.accept("x");
    rows.take(rows.leases("one"));
    assertThat(store.cancel(id, "bob", NOON))
        .isEqualTo(new CancellationResult.Heard(TaskState.RUNNING));
    store.cancel(id, "carl", NOON);
    assertThat(rows.task(id).cancelledBy()).contains("bob");
    assertThat(rows.task(id).state()).isEqualTo(TaskState.RUNNING);
    assertThat(rows.stage(id)).contains("WORKING");
    assertThat(store.cancel(UUID.randomUUID(), "bob", NOON))
        .isInstanceOfSatisfying(
            CancellationResult.Refused.class,
            refused ->
                assertRefusal(refused.refusal(), ErrorCode.UNKNOWN_TASK, "There is no task"));
  }

  /** Tasks that have ended and were told, oldest first, and one that waits. */
  private List<UUID> ended(int count) throws Exception {
    LeaseStore leases = rows.leases("one");
    List<UUID> ids = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      UUID id = rows.accept("task " + n);
      LeasedTask taken = rows.take(leases);
      rows.complete(taken);
      leases.told(taken.lease());
      ids.add(id);
    }
    ids.add(rows.accept("waits"));
    return ids;
  }

  private List<Boolean> there(List<UUID> ids) {
    return ids.stream()
        .map(id -> {
          try {
            return store.find(id).isPresent();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        })
        .toList();
  }

  @Test
  void theOldestThatWereToldArePrunedAndAtMostSoMany() throws Exception {
    List<UUID> ids = ended(4);
    assertThat(store.prune(ids.get(3), 2)).isEqualTo(2);
    assertThat(there(ids)).containsExactly(false, false, true, true, true);
    assertThat(store.prune(ids.get(3), 10)).isEqualTo(1);
    assertThat(there(ids)).containsExactly(false, false, false, true, true);
    assertThat(store.prune(GREATEST, 10)).isEqualTo(1);
    assertThat(there(ids)).containsExactly(false, false, false, false, true);
    assertThat(Stream.of(ids.getLast()).map(rows::task).map(Task::state))
        .containsExactly(TaskState.PENDING);
  }

  @Test
  void beyondItsBytesTheDatabaseLosesTheOldestAndBelowThemNothing() throws Exception {
    List<UUID> ids = ended(2);
    assertThat(store.pruneBeyond(1L << 30, 10)).isZero();
    assertThat(store.pruneBeyond(0, 1)).isEqualTo(1);
    assertThat(there(ids)).containsExactly(false, true, true);
  }
}
