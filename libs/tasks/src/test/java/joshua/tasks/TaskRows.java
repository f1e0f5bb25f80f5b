package joshua.tasks;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.kernel.MonotonicIds;
import joshua.state.Database;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.StepSequence;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskOutcome;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskState;
import joshua.tasks.store.LeaseStore;
import joshua.tasks.store.LeasedTask;
import joshua.tasks.store.SqlStatements;
import joshua.tasks.store.StreamStore;
import joshua.tasks.store.TaskSchema;
import joshua.tasks.store.TaskStore;
import joshua.tasks.worker.TaskManager;
import joshua.testing.ManualTime;

/** A database with tasks, and the stores on it. */
public final class TaskRows implements AutoCloseable {
  public static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  public static final int ROOM = 100;

  public final ManualTime time = new ManualTime(NOON);
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  public final Database database;
  public final TaskStore store;
  private final MonotonicIds ids = new MonotonicIds(time);

  public TaskRows(Path directory) throws Exception {
    database = Database.open(directory.resolve("tasks.db"), TaskSchema.alone(), meters);
    store = new TaskStore(database);
  }

  public LeaseStore leases(String holder) {
    return new LeaseStore(database, holder);
  }

  public static TaskRequest request(String requester, String prompt, Optional<String> key) {
    return new TaskRequest(
        TaskManager.CONVERSE,
        prompt,
        Json.object(),
        requester,
        Optional.empty(),
        UUID.randomUUID(),
        key);
  }

  /** Accepts a task of ann's; later ones have greater ids. */
  public UUID accept(String prompt) throws Exception {
    return accept(request("ann", prompt, Optional.empty()));
  }

  public UUID accept(TaskRequest request) throws Exception {
    AcceptanceResult result = store.accept(ids.next(), request, time.instant(), ROOM);
    return ((AcceptanceResult.Accepted) result).taskId();
  }

  /** Takes the one task that waits. */
  public LeasedTask take(LeaseStore leases) throws Exception {
    return leases.take(Set.of(), time.instant(), 2, 1).held().getFirst();
  }

  public Task task(UUID id) {
    try {
      return store.find(id).orElseThrow();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Ends a task with a result, under its lease. */
  public void complete(LeasedTask leasedTask) throws Exception {
    boolean ours =
        new StreamStore(database)
            .finish(
                leasedTask.lease(),
                leasedTask.task(),
                java.util.List.of(),
                StepSequence.of(TaskState.RUNNING, false, true),
                new TaskOutcome.Completed(TaskFixture.said("done")),
                0,
                time.instant());
    if (!ours) {
      throw new AssertionError("the lease has been lost");
    }
  }

  /** The stage of a task that needs more work; empty for one that doesn't. */
  public Optional<String> stage(UUID id) {
    try {
      return database.read(connection ->
          SqlStatements.row(
              connection,
              "select stage from active_tasks where task_id = ?",
              row -> row.getString(1),
              id.toString()));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
