package joshua.tasks.store;

import static joshua.tasks.TaskRows.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import joshua.tasks.TaskRows;
import joshua.tasks.model.StepSequence;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases of two holders on one database. */
final class LeaseStoreTest {
  private static final int ATTEMPTS = 2;
  private static final Instant LEASE_ENDS = NOON.plus(LeaseTimes.LASTS);

  @TempDir Path directory;
  private TaskRows rows;
  private LeaseStore one;
  private LeaseStore other;

  @BeforeEach
  void open() throws Exception {
    rows = new TaskRows(directory);
    one = rows.leases("one");
    other = rows.leases("other");
  }

  @AfterEach
  void close() {
    rows.close();
  }

  private static List<UUID> ids(List<LeasedTask> leased) {
    return leased.stream().map(each -> each.task().id()).toList();
  }

  @Test
  void waitingTasksAreTakenOldestFirstAndAtMostSoMany() throws Exception {
    List<UUID> ids = List.of(rows.accept("1"), rows.accept("2"), rows.accept("3"));
    LeaseStore.Taken taken = one.take(Set.of(), NOON, ATTEMPTS, 2);
    assertThat(ids(taken.held())).isEqualTo(ids.subList(0, 2));
    assertThat(taken.failed()).isEmpty();
    LeasedTask first = taken.held().getFirst();
    assertThat(first.task().state()).isEqualTo(TaskState.RUNNING);
    assertThat(first.task().attempt()).isEqualTo(1);
    assertThat(first.lease()).isEqualTo(new Lease(ids.getFirst(), "one", 1));
    assertThat(ids(other.takeWaiting(NOON, 5).held())).containsExactly(ids.getLast());
    assertThat(other.take(Set.of(), NOON, ATTEMPTS, 5).held()).isEmpty();
    assertThat(one.take(Set.of(), NOON, ATTEMPTS, 0).held()).isEmpty();
  }

  @Test
  void aTaskIsTakenOverWhenItsLeaseHasExpiredAndNotBefore() throws Exception {
    UUID id = rows.accept("x");
    LeasedTask lost = rows.take(one);
    assertThat(other.take(Set.of(), LEASE_ENDS.minusMillis(1), ATTEMPTS, 1).held()).isEmpty();
    LeasedTask next = other.take(Set.of(), LEASE_ENDS, ATTEMPTS, 1).held().getFirst();
    assertThat(next.task().attempt()).isEqualTo(2);
    assertThat(next.task().state()).isEqualTo(TaskState.RUNNING);
    assertThat(next.lease()).isEqualTo(new Lease(id, "other", lost.lease().version() + 1));
    assertThat(next.published()).isZero();
    // Its stream begins again.
    assertThat(new StreamStore(rows.database).page(id, 0, 1_000).orElseThrow().frames())
        .containsExactly(StreamFrame.restart());
  }

  @Test
  void whatThisProcessWorksOnItDoesNotTakeOver() throws Exception {
    UUID id = rows.accept("x");
    rows.take(one);
    assertThat(one.take(Set.of(id), LEASE_ENDS, ATTEMPTS, 1).held()).isEmpty();
    assertThat(ids(one.take(Set.of(), LEASE_ENDS, ATTEMPTS, 1).held())).containsExactly(id);
  }

  @Test
  void abandonedTasksGoBeforeWaitingOnesAndOneWithoutAPlaceStaysAbandoned() throws Exception {
    List<UUID> left = List.of(rows.accept("1"), rows.accept("2"));
    one.take(Set.of(), NOON, ATTEMPTS, 2);
    UUID waits = rows.accept("3");
    assertThat(ids(other.take(Set.of(), LEASE_ENDS, ATTEMPTS, 1).held()))
        .hasSize(1)
        .isSubsetOf(left);
    assertThat(ids(other.take(Set.of(), LEASE_ENDS, ATTEMPTS, 2).held()))
        .hasSize(2)
        .contains(waits);
  }

  @Test
  void aTaskIsStartedAtMostSoOftenAndFailsThenAlsoWithoutAPlace() throws Exception {
    UUID id = rows.accept("x");
    rows.take(one);
    assertThat(other.take(Set.of(), LEASE_ENDS, 2, 1).held()).hasSize(1);
    Instant later = LEASE_ENDS.plus(LeaseTimes.LASTS);
    LeaseStore.Taken taken = one.take(Set.of(), later, 2, 0);
    assertThat(taken.held()).isEmpty();
    assertThat(taken.failed()).extracting(Task::id).containsExactly(id);
    Task task = rows.task(id);
    assertThat(task.state()).isEqualTo(TaskState.FAILED);
    assertThat(task.error().map(TaskError::message).orElseThrow())
        .contains("in attempt 2, the last one allowed (JOSHUA_TASKS_ATTEMPTS)");
    assertThat(rows.stage(id)).contains("TELLING");
  }

  @Test
  void anAbandonedTaskThatWasCancelledIsNotStartedAgain() throws Exception {
    UUID id = rows.accept("x");
    rows.take(one);
    var _ = rows.store.cancel(id, "ann", NOON);
    LeaseStore.Taken taken = other.take(Set.of(), LEASE_ENDS, ATTEMPTS, 5);
    assertThat(taken.held()).isEmpty();
    assertThat(taken.failed()).hasSize(1);
    assertThat(rows.task(id).isCancelled()).isTrue();
  }

  @Test
  void aRenewedLeaseLastsLongerAndBringsTheCancellation() throws Exception {
    UUID id = rows.accept("1");
    Lease lease = rows.take(one).lease();
    UUID second = rows.accept("2");
    Lease cancelled = rows.take(one).lease();
    var _ = rows.store.cancel(second, "bob", NOON);
    Instant now = NOON.plus(LeaseTimes.RENEWED_EVERY);
    assertThat(one.renew(List.of(lease, cancelled), LeaseTimes.until(now)))
        .isEqualTo(Map.of(id, Optional.empty(), second, Optional.of("bob")));
    assertThat(other.take(Set.of(), LEASE_ENDS, ATTEMPTS, 5).held()).isEmpty();
    assertThat(other.take(Set.of(), LeaseTimes.until(now), ATTEMPTS, 5).held()).hasSize(1);
  }

  @Test
  void whoWasOvertakenCanNeitherRenewNorWriteNorRelease() throws Exception {
    UUID id = rows.accept("x");
    LeasedTask lost = rows.take(one);
    LeasedTask taken = other.take(Set.of(), LEASE_ENDS, ATTEMPTS, 1).held().getFirst();
    assertThat(one.renew(List.of(lost.lease()), LEASE_ENDS.plusSeconds(60))).isEmpty();
    StreamStore streams = new StreamStore(rows.database);
    assertThat(streams.note(lost.lease(), TaskKind.QUESTION)).isFalse();
    assertThat(
            streams.append(
                lost.lease(),
                lost.task(),
                List.of(new StreamFrame(0, "late", Optional.empty())),
                StepSequence.of(TaskState.RUNNING, true, true),
                0,
                LEASE_ENDS))
        .isFalse();
    one.release(lost.lease(), 5);
    one.told(lost.lease());
    assertThat(rows.stage(id)).contains("WORKING");
    assertThat(other.renew(List.of(taken.lease()), LEASE_ENDS)).containsKey(id);
    assertThat(rows.task(id).kind()).isEqualTo(TaskKind.WORK);
  }

  @Test
  void aReleasedLeaseIsFreeAtOnce() throws Exception {
    UUID id = rows.accept("x");
    LeasedTask leased = rows.take(one);
    one.release(leased.lease(), 7);
    assertThat(ids(other.take(Set.of(), NOON, ATTEMPTS, 1).held())).containsExactly(id);
  }

  @Test
  void allLeasesOfAHolderAreReleasedAndNoneOfAnother() throws Exception {
    UUID mine = rows.accept("1");
    rows.take(one);
    rows.accept("2");
    rows.take(other);
    one.releaseAll();
    assertThat(ids(other.take(Set.of(), NOON, ATTEMPTS, 5).held())).containsExactly(mine);
  }

  @Test
  void theNotificationOfAnEndedTaskIsClaimedByOneHolderUntilItsLeaseEnds() throws Exception {
    UUID id = rows.accept("x");
    LeasedTask leased = rows.take(one);
    rows.complete(leased);
    one.release(leased.lease(), 3);
    assertThat(one.claimTelling(Set.of(id), NOON, LEASE_ENDS, 5)).isEmpty();
    List<LeasedTask> claimed = one.claimTelling(Set.of(), NOON, LEASE_ENDS, 5);
    assertThat(ids(claimed)).containsExactly(id);
    assertThat(claimed.getFirst().published()).isEqualTo(3);
    assertThat(other.claimTelling(Set.of(), NOON, LEASE_ENDS, 5)).isEmpty();
    List<LeasedTask> again = other.claimTelling(Set.of(), LEASE_ENDS, LEASE_ENDS, 5);
    assertThat(ids(again)).containsExactly(id);
    one.told(claimed.getFirst().lease());
    assertThat(rows.stage(id)).contains("TELLING");
    other.told(again.getFirst().lease());
    assertThat(rows.stage(id)).isEmpty();
  }

  @Test
  void atMostSoManyNotificationsAreClaimed() throws Exception {
    for (int n = 0; n < 4; n++) {
      var _ = rows.store.cancel(rows.accept("task " + n), "ann", NOON);
    }
    assertThat(one.claimTelling(Set.of(), NOON, LEASE_ENDS, 3)).hasSize(3);
    assertThat(other.claimTelling(Set.of(), NOON, LEASE_ENDS, 3)).hasSize(1);
  }

  @Test
  void ofManyTasksNoneIsTakenTwiceAndNoneIsForgotten() throws Exception {
    Set<UUID> all = new HashSet<>();
    for (int n = 0; n < TaskRows.ROOM; n++) {
      all.add(rows.accept("task " + n));
    }
    List<UUID> taken = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<UUID>>> takers = new ArrayList<>();
      for (LeaseStore leases : List.of(one, other, rows.leases("third"))) {
        Callable<List<UUID>> taker =
            () -> {
              List<UUID> mine = new ArrayList<>();
              List<LeasedTask> held = leases.takeWaiting(NOON, 3).held();
              while (!held.isEmpty()) {
                mine.addAll(ids(held));
                held = leases.takeWaiting(NOON, 3).held();
              }
              return mine;
            };
        takers.add(threads.submit(taker));
      }
      for (Future<List<UUID>> taker : takers) {
        taken.addAll(taker.get());
      }
    }
    assertThat(taken).containsExactlyInAnyOrderElementsOf(all);
  }
}
