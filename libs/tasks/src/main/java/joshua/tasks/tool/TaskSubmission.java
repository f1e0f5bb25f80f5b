package joshua.tasks.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.kernel.Refusal;
import joshua.kernel.UnicodeText;
import joshua.network.Access;
import joshua.network.SchemaHint;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.tasks.Tasks;
import joshua.tasks.Tasks.Answer;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import org.jspecify.annotations.Nullable;

/**
 * The submission of tasks by tools: accepted tasks are on disk, and callers can wait for their end.
 */
public final class TaskSubmission {
  /** Below the minute after which clients give up. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(45);

  private final String service;
  private final Tasks tasks;
  private final Access access;

  TaskSubmission(String service, Tasks tasks, Access access) {
    this.service = service;
    this.tasks = tasks;
    this.access = access;
  }

  /** The output of such a tool. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Output(
      @SchemaHint("pending, or with wait: completed, failed") String status,
      UUID taskId,
      @SchemaHint("Where the text streams") String streamTopic,
      UUID conversationId,
      UUID correlationId,
      @SchemaHint("The same prompt runs already, as this task") @Nullable Boolean alreadyRunning,
      @Nullable String text,
      @Nullable String error,
      @SchemaHint("What to do next") @Nullable String note) {}

  /** Submits a task if the caller may act as its requester; completes at once or at its end. */
  public CompletableFuture<ToolResult> begin(
      TaskRequest request, @Nullable Boolean waits, ToolCall call) {
    Optional<Refusal> forbidden =
        access.refuseActingAs(call.caller(), "requester_id", request.requesterId());
    if (forbidden.isPresent()) {
      return ToolResult.refused(forbidden.get());
    }
    CompletableFuture<Answer> accepted = tasks.accept(request);
    return Boolean.TRUE.equals(waits)
        ? call.runBlocking(() -> waited(accepted.join(), call))
        : accepted.thenApply(answer -> pending(answer, null));
  }

  private static ToolResult pending(Answer answer, @Nullable String note) {
    return switch (answer) {
      case Answer.Refused(Refusal refusal) -> new ToolResult.Refused(refusal);
      case Answer.Pending task -> success(task, "pending", null, null, note);
    };
  }

  private static ToolResult success(
      Answer.Pending task,
      String status,
      @Nullable String text,
      @Nullable String error,
      @Nullable String note) {
    return new ToolResult.Success(
        new Output(
            status,
            task.taskId(),
            Task.streamTopic(task.taskId()),
            task.conversationId(),
            task.correlationId(),
            task.known() ? true : null,
            text,
            error,
            note));
  }

  private ToolResult waited(Answer answer, ToolCall call) throws InterruptedException {
    if (!(answer instanceof Answer.Pending pending)) {
      return pending(answer, null);
    }
    Task task =
        tasks.await(pending.taskId(), each -> each.status().isFinal(), MAX_WAIT).orElse(null);
    if (task == null || !task.status().isFinal()) {
      return pending(
          answer,
          "It isn't done yet. Call %1$s_get_task_status with this task_id later, or %1$s_get_stream with wait_ms. Don't ask again: that is the same task."
              .formatted(service));
    }
    ObjectNode result = Task.tree(task.resultPayload());
    if (result == null) {
      return success(pending, "failed", null, task.error(), null);
    }
    String said = result.path("text").asText();
    int most = call.context().preferredMaxBytes() / 4; // of UTF-8, whatever the language
    String note =
        said.length() <= most
            ? null
            : "These are %d of %d characters; %s_get_stream has all of them."
                .formatted(most, said.length(), service);
    return success(pending, "completed", UnicodeText.truncate(said, most), null, note);
  }
}
