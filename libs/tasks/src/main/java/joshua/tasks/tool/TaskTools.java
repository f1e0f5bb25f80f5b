package joshua.tasks.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.CancellationResult;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskSummary;
import joshua.tasks.model.TaskVisibility;
import joshua.tasks.worker.TaskAnswers;
import joshua.tasks.worker.TaskManager;
import joshua.thought.OfflineMode;

/**
 * The tools for tasks, shared by Fiedler and Rogers: converse, state, list, cancel, stream
 * (REQ-FD-02, wire contract §3). Their names begin with the MAD's.
 */
public final class TaskTools {
  private static final int USUAL_LIMIT = 50;

  private final TaskManager tasks;
  private final TaskSubmission submission;
  private final ToolSpecs specs;

  public TaskTools(TaskManager tasks) {
    this.tasks = tasks;
    this.submission = new TaskSubmission(tasks);
    this.specs = new ToolSpecs(tasks.name());
  }

  /** The tools of a MAD of that name, also for listing them while it doesn't run. */
  public static List<ToolSpec> specs(String mad) {
    return new ToolSpecs(mad).all();
  }

  /** The output schema of a tool that submits a task. */
  public static ObjectNode acceptedSchema() {
    return ToolSpecs.ACCEPTED.deepCopy();
  }

  public List<Tool> tools() {
    return List.of(
        new ConverseTool(specs.converse(), submission),
        new TaskTool(specs.status(), this::status),
        new TaskTool(specs.list(), this::list),
        new TaskTool(specs.cancel(), this::cancel),
        new TaskTool(specs.stream(), this::stream));
  }

  private record ConverseTool(ToolSpec spec, TaskSubmission submission) implements Tool {
    @Override
    public Answer begin(ToolCall call) {
      OfflineMode mode = ConverseWork.mode(call.input());
      return submission.begin(call, TaskManager.CONVERSE, ConverseWork.input(mode));
    }
  }

  private ToolResult status(ToolCall call) throws StoreUnavailableException, InterruptedException {
    UUID id = ToolInput.taskId(call.input());
    return TaskTool.visible(tasks, id, call.caller())
        .<ToolResult>map(task -> new ToolResult.Success(TaskAnswers.state(task)))
        .orElseGet(() -> TaskTool.unknown(id));
  }

  private ToolResult list(ToolCall call) throws StoreUnavailableException, InterruptedException {
    ObjectNode input = call.input();
    Optional<String> only = TaskVisibility.only(call.caller());
    Optional<String> asked = ToolInput.text(input, "requester_id");
    if (only.isPresent() && asked.isPresent() && !asked.equals(only)) {
      return TaskTool.refused(
          Refusal.of(
              ErrorCode.FORBIDDEN,
              "requester_id must be %s: a viewer's token sees its own tasks only."
                  .formatted(only.get())));
    }
    int limit = input.path("limit").asInt(USUAL_LIMIT);
    List<TaskSummary> found =
        tasks.list(
            new TaskFilter(
                asked.or(() -> only),
                ToolInput.text(input, "status").map(TaskState::valueOf),
                TaskKind.named(ToolInput.text(input, "kind").orElse(TaskKind.WORK.wireName())),
                ToolInput.text(input, "id_prefix").flatMap(BusIdentifiers::parseUuidPrefix),
                ToolInput.uuid(input, "before"),
                limit));
    ObjectNode output = Json.object().put("status", "success");
    ArrayNode list = output.putArray("tasks");
    found.forEach(task -> list.add(tree(task)));
    return new ToolResult.Success(
        output.put("next", found.size() < limit ? null : found.getLast().id().toString()));
  }

  private static ObjectNode tree(TaskSummary task) {
    return Json.object()
        .put("task_id", task.id().toString())
        .put("kind", task.kind().wireName())
        .put("status", task.state().name())
        .put("requester_id", task.requesterId())
        .put("prompt", task.prompt())
        .put("created_at", EnvelopeCodec.timestamp(task.createdAt()))
        .put("updated_at", EnvelopeCodec.timestamp(task.updatedAt()));
  }

  private ToolResult cancel(ToolCall call) throws StoreUnavailableException, InterruptedException {
    UUID id = ToolInput.taskId(call.input());
    if (TaskTool.visible(tasks, id, call.caller()).isEmpty()) {
      return TaskTool.unknown(id);
    }
    return switch (tasks.cancel(id, TaskVisibility.name(call.caller()))) {
      case CancellationResult.Refused(Refusal refusal) -> TaskTool.refused(refusal);
      case CancellationResult.Heard(TaskState state) ->
          new ToolResult.Success(
              Json.object()
                  .put("status", "success")
                  .put("task_id", id.toString())
                  .put("task_status", state.name()));
    };
  }

  private ToolResult stream(ToolCall call) throws StoreUnavailableException, InterruptedException {
    UUID id = ToolInput.taskId(call.input());
    long from = call.input().path("from_sequence").asLong(0);
    Duration wait = Duration.ofMillis(call.input().path("wait_ms").asLong(0));
    if (TaskTool.visible(tasks, id, call.caller()).isEmpty()) {
      return TaskTool.unknown(id);
    }
    return tasks.stream(id, from, wait)
        .<ToolResult>map(page -> new ToolResult.Success(page.tree(from)))
        .orElseGet(() -> TaskTool.unknown(id));
  }
}
