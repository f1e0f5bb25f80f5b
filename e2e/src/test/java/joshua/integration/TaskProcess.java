package joshua.integration;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import joshua.conversation.ConversationBus;
import joshua.kernel.Json;
import joshua.state.Database;
import joshua.tasks.FailureText;
import joshua.tasks.TaskLimits;
import joshua.tasks.Tasks;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import joshua.testing.Await;

/** A process that works on the tasks of a file, as far as its tasks know. */
final class TaskProcess implements AutoCloseable {
  static final Outcome DONE = new Outcome.Completed(Json.object(), null, null);

  /** Short intervals, and leases that a slow machine doesn't miss to renew. */
  static final TaskLimits LIMITS = limits(4, Duration.ofMinutes(10), Duration.ofMillis(100));

  private final Database database;
  private final Tasks tasks;

  TaskProcess(Path file, ConversationBus bus, TaskLimits limits, Tasks.Work work)
      throws IOException {
    database = Database.open(file, Tasks.MIGRATIONS, InstantSource.system());
    tasks =
        new Tasks(
            database,
            bus,
            new FailureText(List.of()),
            (task, outcome) -> {},
            limits,
            InstantSource.system(),
            new PrometheusRegistry());
    tasks.start(work);
  }

  static TaskLimits limits(int running, Duration longest, Duration tick) {
    Duration backOff = Duration.ofMillis(50);
    Duration month = Duration.ofDays(30);
    return new TaskLimits(running, 10_000, longest, month, 2, backOff, Duration.ofMinutes(1), tick);
  }

  Database database() {
    return database;
  }

  Tasks tasks() {
    return tasks;
  }

  /** Accepts a task that doesn't wait for others. */
  UUID accept(String requester, String prompt) {
    return accept(requester, prompt, true);
  }

  UUID accept(String requester, String prompt, boolean isShort) {
    UUID correlation = UUID.randomUUID();
    TaskRequest request =
        new TaskRequest(
            requester, Task.Kind.WORK, prompt, Json.object(), null, correlation, null, isShort);
    Tasks.Answer answer = tasks.accept(request).join();
    if (answer instanceof Tasks.Answer.Pending pending) {
      return pending.taskId();
    }
    throw new AssertionError("not accepted: " + answer);
  }

  Task awaitEnd(UUID id) {
    return Await.value(
        "task " + id + " ends",
        () -> tasks.find(id).orElseThrow(),
        task -> task.status().isFinal());
  }

  @Override
  public void close() {
    tasks.close();
    database.close();
  }
}
