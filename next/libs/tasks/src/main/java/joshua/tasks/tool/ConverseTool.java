package joshua.tasks.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Access;
import joshua.network.Member;
import joshua.network.Name;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.state.StoreException;
import joshua.tasks.Tasks;
import joshua.tasks.Tasks.Answer;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskStatus;
import org.jspecify.annotations.Nullable;

/** {@code X_converse}: a prompt becomes a task, which is on disk when this answers (REQ-FD-02). */
final class ConverseTool {
  /** Clients that wait for a minute get an answer before they give up. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(45);

  static final int LONGEST_PROMPT = 256 * 1024;

  private final String service;
  private final Tasks tasks;
  private final Converse converse;

  ConverseTool(String service, Tasks tasks, Converse converse) {
    this.service = service;
    this.tasks = tasks;
    this.converse = converse;
  }

  /** Whether a model must answer. */
  enum Offline {
    AUTO,
    NEVER
  }

  /** What it takes. */
  record Input(
      @Member(value = "What you want answered or done", min = 1, max = LONGEST_PROMPT)
          String prompt,
      @Name("Your name; the end is told to mad.direct.<it>") String requesterId,
      @Member("Of earlier turns") @Nullable UUID conversationId,
      @Nullable UUID correlationId, // that of the call
      @Member(value = "The same key and prompt again are the same task", min = 1, max = 200)
          @Nullable String idempotencyKey,
      @Member("Wait for the answer, 45 s at most") @JsonProperty("wait") @Nullable Boolean waits,
      @Member("never: a model answers even what commands could") @Nullable Offline offline) {}

  /** What it answers. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Output(
      @Member("pending, or with wait: completed, failed") String status,
      UUID taskId,
      @Member("Where the text streams") String streamTopic,
      UUID conversationId,
      UUID correlationId,
      @Member("The same prompt runs already, as this task") @Nullable Boolean alreadyRunning,
      @Nullable String text,
      @Nullable String error,
      @Member("What to do next") @Nullable String note) {}

  Tool<Input> tool(String description) {
    return new Tool<>(
        service + "_converse",
        "Ask or hand over work",
        description,
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        new ToolHints(false, false, false, true),
        this::begin);
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    Optional<Refusal> refusal = Access.toActAs(call.caller(), "requester_id", input.requesterId());
    if (refusal.isPresent()) {
      return ToolResult.refused(refusal.get());
    }
    Converse.Prompt prompt =
        new Converse.Prompt(
            input.prompt(),
            input.requesterId(),
            input.conversationId(),
            call.correlationId(),
            input.idempotencyKey(),
            input.offline() != Offline.NEVER,
            Access.toSeeOnly(call.caller()));
    CompletableFuture<Answer> accepted = tasks.accept(converse.request(prompt));
    return Boolean.TRUE.equals(input.waits())
        ? call.onThreadOfItsOwn(() -> waited(accepted, call))
        : accepted.handle(
            (answer, failure) -> failure == null ? pending(answer, null) : unavailable(failure));
  }

  /** The database can't take it; anything else is a mistake of ours. */
  private static ToolResult unavailable(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return switch (cause) {
      case StoreException store -> new ToolResult.Refused(store.refusal());
      case RuntimeException mistake -> throw mistake;
      default -> throw new IllegalStateException(cause);
    };
  }

  private static ToolResult pending(Answer answer, @Nullable String note) {
    return switch (answer) {
      case Answer.Refused(Refusal refusal) -> new ToolResult.Refused(refusal);
      case Answer.Pending task -> new ToolResult.Success(output(task, "pending", null, null, note));
    };
  }

  private static Output output(
      Answer.Pending task,
      String status,
      @Nullable String text,
      @Nullable String error,
      @Nullable String note) {
    return new Output(
        status,
        task.taskId(),
        Task.streamTopic(task.taskId()),
        task.conversationId(),
        task.correlationId(),
        task.known() ? true : null,
        text,
        error,
        note);
  }

  private ToolResult waited(CompletableFuture<Answer> accepted, ToolCall call)
      throws InterruptedException {
    Answer answer;
    try {
      answer = accepted.join();
    } catch (CompletionException e) {
      return unavailable(e);
    }
    if (!(answer instanceof Answer.Pending pending)) {
      return pending(answer, null);
    }
    Task task =
        tasks.await(pending.taskId(), each -> each.status().isFinal(), LONGEST_WAIT).orElse(null);
    if (task == null || !task.status().isFinal()) {
      return pending(
          answer,
          "It isn't done yet. Call %1$s_get_task_status with this task_id later, or %1$s_get_stream with wait_ms. Don't ask again: that is the same task."
              .formatted(service));
    }
    boolean completed = task.status() == TaskStatus.COMPLETED;
    ObjectNode ended = Task.tree(completed ? task.resultPayload() : task.errorDetails());
    String said =
        (ended == null ? Json.object() : ended).path(completed ? "text" : "message").asText();
    int most = call.context().comfortableBytes() / 4; // of UTF-8, whatever the language
    boolean fits = said.length() <= most;
    return new ToolResult.Success(
        output(
            pending,
            completed ? "completed" : "failed",
            completed ? (fits ? said : said.substring(0, most)) : null,
            completed ? null : said,
            fits
                ? null
                : "These are %d of %d characters; %s_get_stream has all of them."
                    .formatted(most, said.length(), service)));
  }
}
