package joshua.tasks.tool;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.ResourceSubscription;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskVisibility;
import joshua.tasks.worker.TaskAnswers;
import joshua.tasks.worker.TaskManager;

/**
 * Tasks as MCP resources, {@code fiedler://tasks/{task_id}}: their state, which clients can watch.
 */
public final class TaskResources implements ResourceProvider {
  private static final String JSON = "application/json";
  private static final int LISTED = 20;

  private final TaskManager tasks;

  public TaskResources(TaskManager tasks) {
    this.tasks = tasks;
  }

  /** The templates of a MAD of that name, also for listing them while it doesn't run. */
  public static List<Template> templates(String mad) {
    return List.of(
        new Template(
            beginning(mad) + "{task_id}",
            "task",
            "A task",
            "A task's full state, as %s_get_task_status gives it. Subscribe to be told when it moves on."
                .formatted(mad),
            JSON));
  }

  private static String beginning(String mad) {
    return mad + "://tasks/";
  }

  /** The newest tasks that the caller may see. */
  @Override
  public List<Resource> list(Caller caller) {
    try {
      return tasks
          .list(
              new TaskFilter(
                  TaskVisibility.only(caller),
                  Optional.empty(),
                  Optional.of(TaskKind.WORK),
                  Optional.empty(),
                  Optional.empty(),
                  LISTED))
          .stream()
          .map(task ->
              new Resource(
                  beginning(tasks.name()) + task.id(),
                  "task",
                  "A task of " + task.requesterId(),
                  task.prompt(),
                  JSON))
          .toList();
    } catch (StoreUnavailableException e) {
      throw new IllegalStateException("tasks can't be listed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  @Override
  public List<Template> templates() {
    return templates(tasks.name());
  }

  @Override
  public Optional<Contents> read(String uri, Caller caller, CallContext callContext)
      throws InterruptedException {
    return task(uri, caller)
        .map(task -> new Contents.Text(JSON, Json.write(TaskAnswers.state(task))));
  }

  @Override
  public Optional<ResourceSubscription> watch(String uri, Caller caller, Runnable changed) {
    try {
      return task(uri, caller).map(task -> tasks.watch(task.id(), changed));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private Optional<Task> task(String uri, Caller caller) throws InterruptedException {
    String beginning = beginning(tasks.name());
    Optional<UUID> id =
        uri.startsWith(beginning)
            ? BusIdentifiers.parseUuid(uri.substring(beginning.length()))
            : Optional.empty();
    try {
      return id.isEmpty() ? Optional.empty() : TaskTool.visible(tasks, id.get(), caller);
    } catch (StoreUnavailableException e) {
      throw new IllegalStateException("tasks can't be looked up", e);
    }
  }
}
