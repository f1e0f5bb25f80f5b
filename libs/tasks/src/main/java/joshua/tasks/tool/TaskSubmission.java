package joshua.tasks.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.mcp.ResourceSubscription;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskVisibility;
import joshua.tasks.worker.TaskAnswers;
import joshua.tasks.worker.TaskManager;

/**
 * Submits a tool's task and answers the call: with an MCP task if the caller accepts those,
 * otherwise with the pending object, or after {@code wait: true} with the result. A caller that
 * gives up waiting doesn't end the task.
 */
public final class TaskSubmission {
  private static final long LOOKS_EVERY_SECONDS = 1;

  private final TaskManager tasks;

  public TaskSubmission(TaskManager tasks) {
    this.tasks = tasks;
  }

  /** Submits a task of this kind for a call, with the input of its work. */
  public Tool.Answer begin(ToolCall call, String kind, ObjectNode input) {
    // Created here, on the thread that reads the connection, so that tasks run in the order of the
    // calls.
    UUID id = tasks.newId();
    return () -> {
      try {
        return answer(call, id, request(call, kind, input));
      } catch (StoreUnavailableException e) {
        return TaskTool.refused(TaskAnswers.refusal(e, call.correlationId()));
      }
    };
  }

  private static TaskRequest request(ToolCall call, String kind, ObjectNode input) {
    return new TaskRequest(
        kind,
        call.input().path("prompt").asText(),
        input,
        call.input().path("requester_id").asText(),
        ToolInput.uuid(call.input(), "conversation_id"),
        call.correlationId(),
        ToolInput.text(call.input(), "idempotency_key"));
  }

  private ToolResult answer(ToolCall call, UUID id, TaskRequest request)
      throws StoreUnavailableException, InterruptedException {
    Optional<Refusal> refusal = TaskVisibility.refusal(call.caller(), request.requesterId());
    if (refusal.isPresent()) {
      return TaskTool.refused(refusal.get());
    }
    return switch (tasks.accept(id, request)) {
      case AcceptanceResult.Refused(Refusal no) -> TaskTool.refused(no);
      case AcceptanceResult.Accepted accepted ->
          call.input().path("wait").asBoolean() && !call.peer().takesTasks()
              ? waitFor(call, accepted)
              : ToolResult.Success.task(
                  accepted.taskId().toString(), TaskAnswers.pending(accepted));
    };
  }

  private ToolResult waitFor(ToolCall call, AcceptanceResult.Accepted accepted)
      throws StoreUnavailableException, InterruptedException {
    Semaphore news = new Semaphore(0);
    try (ResourceSubscription _ = tasks.watch(accepted.taskId(), news::release)) {
      for (int look = 1; ; look++) {
        Optional<Task> task = tasks.find(accepted.taskId());
        if (task.isEmpty()) {
          return TaskTool.unknown(accepted.taskId());
        }
        if (task.get().state().isFinal()) {
          return result(task.get(), accepted);
        }
        call.peer().progress(look, OptionalDouble.empty(), task.get().state().name());
        // Another process may run it, which sends no signal here, so check now and then.
        var _ = news.tryAcquire(LOOKS_EVERY_SECONDS, TimeUnit.SECONDS);
        news.drainPermits();
      }
    }
  }

  private static ToolResult result(Task task, AcceptanceResult.Accepted accepted) {
    if (task.result().isEmpty()) {
      return TaskAnswers.failed(task);
    }
    ObjectNode output = TaskAnswers.pending(accepted).put("status", "completed");
    output.set("result", task.result().get());
    return new ToolResult.Success(output, content(task.result().get()), Optional.empty());
  }

  /** Only the text, if there is one: a model needs nothing else. */
  public static List<ObjectNode> content(ObjectNode result) {
    return result.path("text").isTextual()
        ? List.of(Json.object().put("type", "text").put("text", result.path("text").asText()))
        : List.of();
  }
}
