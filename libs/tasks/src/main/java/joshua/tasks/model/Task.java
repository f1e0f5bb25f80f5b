package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.Channel;

/**
 * A task's row in the database.
 *
 * @param work which {@link TaskWork} does it
 * @param kind {@link TaskKind#WORK} until the answering stage is known
 * @param input the work's input besides the prompt, as a JSON object; {@code {}} for a converse
 * @param attempt how often it has been started; 0 while PENDING
 * @param cancelledBy the caller that cancelled it; it ends FAILED unless it was done before
 * @param result the {@code result_payload}; only if COMPLETED
 * @param error only if FAILED
 */
public record Task(
    UUID id,
    String work,
    TaskKind kind,
    TaskState state,
    String requesterId,
    String prompt,
    String input,
    UUID conversationId,
    UUID correlationId,
    int attempt,
    Optional<String> cancelledBy,
    Optional<ObjectNode> result,
    Optional<TaskError> error,
    Instant createdAt,
    Instant updatedAt) {

  /** The channel of its tokens. */
  public Channel stream() {
    return Channel.stream(id.toString());
  }

  /**
   * Whether it ended because a caller cancelled it. A task that fails before the cancellation takes
   * effect counts as failed.
   */
  public boolean isCancelled() {
    return state == TaskState.FAILED
        && cancelledBy.isPresent()
        && error.filter(RunEnding::isCancellation).isPresent();
  }

  /** The same task with its outcome. */
  public Task ended(TaskKind knownKind, TaskOutcome taskOutcome, Instant at) {
    return new Task(
        id,
        work,
        knownKind,
        taskOutcome.state(),
        requesterId,
        prompt,
        input,
        conversationId,
        correlationId,
        attempt,
        cancelledBy,
        taskOutcome instanceof TaskOutcome.Completed(var result)
            ? Optional.of(result)
            : Optional.empty(),
        taskOutcome instanceof TaskOutcome.Failed(var error)
            ? Optional.of(error)
            : Optional.empty(),
        createdAt,
        at);
  }
}
