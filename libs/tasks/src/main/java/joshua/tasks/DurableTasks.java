package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import joshua.conversation.Channel;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.ToolResult;
import joshua.network.mcp.McpTaskService;
import joshua.network.mcp.TaskView;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskVisibility;
import joshua.tasks.tool.TaskSubmission;
import joshua.tasks.tool.TaskTool;
import joshua.tasks.worker.TaskAnswers;
import joshua.tasks.worker.TaskManager;

/**
 * Tasks in the form of MCP's tasks extension: a FAILED task is {@code completed} with an error,
 * since the tool ran to its end; a cancelled one is {@code cancelled}.
 */
public final class DurableTasks implements McpTaskService {
  private static final Duration ASK_EVERY = Duration.ofSeconds(1);

  private final TaskManager tasks;

  public DurableTasks(TaskManager tasks) {
    this.tasks = tasks;
  }

  @Override
  public Optional<TaskView> find(String taskId, Caller caller) {
    try {
      return task(taskId, caller).map(this::view);
    } catch (StoreUnavailableException e) {
      throw new IllegalStateException("tasks can't be looked up", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private Optional<Task> task(String taskId, Caller caller)
      throws StoreUnavailableException, InterruptedException {
    var id = BusIdentifiers.parseUuid(taskId);
    return id.isEmpty() ? Optional.empty() : TaskTool.visible(tasks, id.get(), caller);
  }

  private TaskView view(Task task) {
    return new TaskView(
        task.id().toString(),
        state(task),
        task.createdAt(),
        task.updatedAt(),
        OptionalLong.of(tasks.config().retention().toMillis()),
        OptionalLong.of(ASK_EVERY.toMillis()));
  }

  private static TaskView.State state(Task task) {
    return switch (task.state()) {
      case PENDING, RUNNING, STREAMING ->
          new TaskView.State.Working(Optional.of(task.state().name()));
      case COMPLETED -> new TaskView.State.Completed(completed(task));
      case FAILED ->
          task.isCancelled()
              ? new TaskView.State.Cancelled()
              : new TaskView.State.Completed(TaskAnswers.failed(task));
    };
  }

  private static ToolResult completed(Task task) {
    ObjectNode result = task.result().orElseGet(Json::object);
    ObjectNode output =
        Json.object()
            .put("status", "completed")
            .put("task_id", task.id().toString())
            .put("stream_topic", Channel.stream(task.id().toString()).name())
            .put("conversation_id", task.conversationId().toString())
            .put("correlation_id", task.correlationId().toString());
    output.set("result", result);
    return new ToolResult.Success(output, TaskSubmission.content(result), Optional.empty());
  }

  /** Tasks never ask for input. */
  @Override
  public void answer(String taskId, Map<String, ObjectNode> answers, Caller caller) {}

  @Override
  public void cancel(String taskId, Caller caller) {
    try {
      Optional<Task> task = task(taskId, caller);
      if (task.isPresent()) {
        var _ = tasks.cancel(task.get().id(), TaskVisibility.name(caller));
      }
    } catch (StoreUnavailableException e) {
      throw new IllegalStateException("task %s can't be cancelled".formatted(taskId), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while cancelling task " + taskId, e);
    }
  }
}
