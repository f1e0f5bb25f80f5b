package joshua.tasks.tool;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Access;
import joshua.network.Member;
import joshua.network.Name;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.tasks.Tasks;
import joshua.tasks.model.TaskRequest;
import org.jspecify.annotations.Nullable;

/** {@code X_converse}: a prompt becomes a task, which is on disk when this answers (REQ-FD-02). */
final class ConverseTool {
  static final int LONGEST_PROMPT = 256 * 1024;

  private final String service;
  private final TaskSubmission submission;
  private final Converse converse;

  ConverseTool(String service, Tasks tasks, Converse converse) {
    this.service = service;
    this.submission = new TaskSubmission(service, tasks);
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

  Tool<Input> tool(String description) {
    return new Tool<>(
        service + "_converse",
        "Ask or hand over work",
        description,
        Input.class,
        TaskSubmission.Output.class,
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
    TaskRequest request =
        converse.request(
            input.prompt(),
            input.requesterId(),
            input.conversationId(),
            call.correlationId(),
            input.idempotencyKey(),
            input.offline() != Offline.NEVER,
            Access.toSeeOnly(call.caller()));
    return submission.begin(request, Boolean.TRUE.equals(input.waits()), call);
  }
}
