package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.Channel;

/**
 * A task as it stands in the database.
 *
 * @param work which {@link TaskWork} does it
 * @param kind {@link TaskKind#WORK} until the stage that answers is known
 * @param input what the work needs beside the prompt, as a JSON object; {@code {}} for a converse
 * @param attempt how often it has been begun; 0 while PENDING
 * @param cancelledBy who asked for its end; it ends FAILED unless it was done before
 * @param result the {@code result_payload}; only of a COMPLETED one
 * @param error only of a FAILED one
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

  /** Where its tokens are published. */
  public Channel stream() {
    return Channel.stream(id.toString());
  }

  /**
   * Whether it has ended because somebody wanted its end. What fails by itself before that is heard
   * is a failure.
   */
  public boolean isCancelled() {
    return state == TaskState.FAILED
        && cancelledBy.isPresent()
        && error.filter(RunEnding::isCancellation).isPresent();
  }
}
