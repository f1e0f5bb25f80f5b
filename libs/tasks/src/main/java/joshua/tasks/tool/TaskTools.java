package joshua.tasks.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.UnicodeText;
import joshua.network.Access;
import joshua.network.Caller;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.tasks.Tasks;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Task;
import org.jspecify.annotations.Nullable;

/** The tools of a service with tasks: to list, inspect, follow and cancel them. */
final class TaskTools {
  static final String STATUS = "^(PENDING|RUNNING|STREAMING|COMPLETED|FAILED)$";
  static final String STATUS_RULE = "must be one of PENDING, RUNNING, STREAMING, COMPLETED, FAILED";
  static final String KIND = "^(work|question|all)$";
  private static final int DEFAULT_LIMIT = 20;
  private static final int MAX_EXCERPT = 200;
  private static final int MAX_FRAMES = 1_000;

  /** The bytes of an answer beside its texts. */
  private static final int OVERHEAD_BYTES = 2_000;

  private final String service;
  private final Tasks tasks;

  private TaskTools(String service, Tasks tasks) {
    this.service = service;
    this.tasks = tasks;
  }

  static List<Tool<?>> of(String service, Tasks tasks) {
    TaskTools tools = new TaskTools(service, tasks);
    return List.of(
        new Tool<>(
            service + "_get_task_status",
            "Task status",
            "The full state of a task: its status, and its result or its error once it has ended.",
            TaskInput.class,
            StatusOutput.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            ToolHints.READS,
            waiting(tools::status)),
        new Tool<>(
            service + "_list_tasks",
            "Tasks",
            "Lists tasks, newest first.",
            ListInput.class,
            ListOutput.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            ToolHints.READS,
            waiting(tools::list)),
        new Tool<>(
            service + "_get_stream",
            "Read a task's stream",
            "The text of a task as it has come so far, in frames; joined they are the result's text."
                + " wait_ms waits for the next one. The last has final true.",
            StreamInput.class,
            StreamOutput.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            ToolHints.READS,
            waiting(tools::stream)),
        new Tool<>(
            service + "_cancel_task",
            "Cancel a task",
            "Ends a task that hasn't ended; it is FAILED then.",
            TaskInput.class,
            CancelOutput.class,
            Tool.Audience.MODEL,
            Role.OPERATOR,
            new ToolHints(false, true, true, false),
            waiting(tools::cancel)));
  }

  /** The work of a tool that blocks, since it reads the database. */
  @FunctionalInterface
  private interface Work<I> {
    ToolResult of(I input, ToolCall call) throws InterruptedException;
  }

  private static <I> Tool.Function<I> waiting(Work<I> work) {
    return (input, call) -> call.runBlocking(() -> work.of(input, call));
  }

  record TaskInput(UUID taskId) {}

  record ErrorDetails(String message, String stackTrace) {}

  /** The full state of a task, as the design specifies it. */
  record StatusOutput(
      @SchemaHint("PENDING, RUNNING, STREAMING, COMPLETED or FAILED") String status,
      UUID taskId,
      String prompt,
      @SchemaHint("text, stage, read_as, model, usage, truncated, evidence")
          @Nullable ObjectNode resultPayload,
      @Nullable ErrorDetails errorDetails,
      Instant createdAt,
      Instant updatedAt,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String note) {}

  private ToolResult status(TaskInput input, ToolCall call) {
    Task task = visible(input.taskId(), call.caller());
    if (task == null) {
      return unknown(input.taskId());
    }
    ObjectNode result = Task.tree(task.resultPayload());
    ErrorDetails error =
        Json.mapper().convertValue(Task.tree(task.errorDetails()), ErrorDetails.class);
    int room = call.context().preferredMaxBytes() - OVERHEAD_BYTES - task.prompt().length();
    String note = null;
    if (result != null && Json.bytes(result).length > room) {
      note = shorten(result, Math.max(0, room));
    }
    return new ToolResult.Success(
        new StatusOutput(
            task.status().name(),
            task.id(),
            task.prompt(),
            result,
            error,
            task.createdAt(),
            task.updatedAt(),
            note));
  }

  /** Removes what a model's context has no room for, and returns a note on that. */
  private String shorten(ObjectNode result, int room) {
    String text = result.path("text").asText();
    result.set("evidence", Json.mapper().createArrayNode());
    result.path("answers").forEach(answer -> ((ObjectNode) answer).remove("text")); // as in text
    int most = Math.max(0, room - Json.bytes(result).length + Json.bytes(text).length) / 4;
    if (Json.bytes(result).length <= room || text.length() <= most) {
      return "The evidence is left out here, since it is large.";
    }
    result.put("text", UnicodeText.truncate(text, most));
    return "These are %d of %d characters, without evidence; %s_get_stream has all of the text."
        .formatted(most, text.length(), service);
  }

  record ListInput(
      @Name(value = "Who asked for them", anybody = true) @Nullable String requesterId,
      @SchemaHint(pattern = STATUS, rule = STATUS_RULE) @Nullable String status,
      @SchemaHint(
              value = "work (the usual), question: about the service itself, or all",
              pattern = KIND,
              rule = "must be work, question or all")
          @Nullable String kind,
      @SchemaHint(min = 1, max = 200) @Nullable Integer limit,
      @SchemaHint("Only tasks older than this one") @Nullable UUID before) {}

  record Listed(
      UUID taskId,
      String status,
      String requesterId,
      @SchemaHint("Its beginning") String prompt,
      Instant createdAt,
      Instant updatedAt) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ListOutput(
      String status,
      List<Listed> tasks,
      @SchemaHint("Give this as before to see older ones") @Nullable UUID before) {}

  private ToolResult list(ListInput input, ToolCall call) {
    Optional<String> scope = Access.scope(call.caller());
    if (input.requesterId() != null
        && !scope.orElse(input.requesterId()).equals(input.requesterId())) {
      return new ToolResult.Refused(
          Refusal.of(ErrorCode.FORBIDDEN, "Viewers see their own tasks: leave out requester_id."));
    }
    String kind = input.kind() == null ? "work" : input.kind();
    int limit = input.limit() == null ? DEFAULT_LIMIT : input.limit();
    List<Task> found =
        tasks.list(
            new Tasks.Filter(
                scope.orElse(input.requesterId()),
                input.status() == null ? null : Task.Status.valueOf(input.status()),
                kind.equals("all") ? null : Task.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
                input.before(),
                limit));
    return new ToolResult.Success(
        new ListOutput(
            "success",
            found.stream().map(TaskTools::listed).toList(),
            found.size() == limit ? found.getLast().id() : null));
  }

  private static Listed listed(Task task) {
    String prompt = task.prompt();
    return new Listed(
        task.id(),
        task.status().name(),
        task.requesterId(),
        prompt.length() <= MAX_EXCERPT ? prompt : UnicodeText.truncate(prompt, MAX_EXCERPT) + "…",
        task.createdAt(),
        task.updatedAt());
  }

  record StreamInput(
      UUID taskId,
      @SchemaHint(value = "The next_sequence of the answer before", min = 0)
          @Nullable Integer fromSequence,
      @SchemaHint(value = "How long to wait for more", min = 0, max = 600_000)
          @Nullable Integer waitMs) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record StreamFrame(
      int sequence, String token, @JsonProperty("final") boolean isFinal, @Nullable String model) {}

  record StreamOutput(
      String status,
      UUID taskId,
      String taskStatus,
      @SchemaHint("Another number than before: what came of earlier attempts is void") int attempt,
      List<StreamFrame> frames,
      int nextSequence) {}

  private ToolResult stream(StreamInput input, ToolCall call) throws InterruptedException {
    int from = input.fromSequence() == null ? 0 : input.fromSequence();
    Duration wait = Duration.ofMillis(input.waitMs() == null ? 0 : input.waitMs());
    if (visible(input.taskId(), call.caller()) == null) {
      return unknown(input.taskId());
    }
    Optional<Task> task =
        tasks.await(
            input.taskId(),
            each -> each.status().isFinal() || !tasks.frames(each, from, 1).isEmpty(),
            wait);
    if (task.isEmpty()) {
      return unknown(input.taskId());
    }
    List<StreamFrame> shown = new ArrayList<>();
    int room = Math.min(call.context().preferredMaxBytes(), 2 * 1024 * 1024) - OVERHEAD_BYTES;
    for (Frame frame : tasks.frames(task.get(), from, MAX_FRAMES)) {
      room -= Json.bytes(frame.token()).length + 60;
      if (room < 0 && !shown.isEmpty()) {
        break;
      }
      shown.add(new StreamFrame(frame.sequence(), frame.token(), frame.last(), frame.model()));
    }
    return new ToolResult.Success(
        new StreamOutput(
            "success",
            input.taskId(),
            task.get().status().name(),
            task.get().attempts(),
            shown,
            shown.isEmpty() ? from : shown.getLast().sequence() + 1));
  }

  record CancelOutput(
      String status,
      UUID taskId,
      @SchemaHint("false: it had ended already") boolean cancelled,
      String taskStatus) {}

  private ToolResult cancel(TaskInput input, ToolCall call) throws InterruptedException {
    UUID id = input.taskId();
    Caller caller = call.caller();
    Task task = visible(id, caller);
    if (task == null) {
      return unknown(id);
    }
    String by = caller.identity().orElse("an administrator");
    if (!caller.role().includes(Role.ADMIN) && !task.requesterId().equals(by)) {
      return new ToolResult.Refused(
          Refusal.of(
              ErrorCode.FORBIDDEN,
              "Task %s was asked for by %s, who may cancel it; so may administrators."
                  .formatted(id, task.requesterId())));
    }
    boolean cancelled = tasks.cancel(id, by);
    Task ended =
        tasks.await(id, each -> each.status().isFinal(), Duration.ofSeconds(5)).orElse(task);
    return new ToolResult.Success(
        new CancelOutput("success", id, cancelled, ended.status().name()));
  }

  private @Nullable Task visible(UUID id, Caller caller) {
    Optional<String> scope = Access.scope(caller);
    return tasks
        .find(id)
        .filter(task -> scope.isEmpty() || scope.get().equals(task.requesterId()))
        .orElse(null);
  }

  private static ToolResult unknown(UUID id) {
    return new ToolResult.Refused(
        Refusal.of(ErrorCode.UNKNOWN_TASK, "There is no task %s.".formatted(id)));
  }
}
