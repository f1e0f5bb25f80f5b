package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * A stored task, with its current status.
 *
 * @param input of the request beside the prompt, as JSON
 * @param resultPayload JSON, if completed
 * @param errorDetails JSON, if failed
 */
public record Task(
    UUID id,
    Status status,
    String requesterId,
    Kind kind,
    String prompt,
    @Nullable String input,
    @Nullable String resultPayload,
    @Nullable String errorDetails,
    Instant createdAt,
    Instant updatedAt,
    int attempts,
    UUID conversationId,
    UUID correlationId,
    @Nullable String cancelledBy,
    int triesLeft) {

  /** The kind of a task, which is decided when it is accepted. */
  public enum Kind {
    /** Work for a requester. */
    WORK,
    /** A question about the service itself; left out of lists and counts. */
    QUESTION
  }

  /** The status of a task (wire contract §4). The last two are final. */
  public enum Status {
    PENDING,
    RUNNING,
    /** Running, with new text in the last seconds. */
    STREAMING,
    COMPLETED,
    FAILED;

    public boolean isFinal() {
      return this == COMPLETED || this == FAILED;
    }
  }

  /** A new task. */
  public static Task of(
      TaskRequest request, UUID id, UUID conversationId, Instant now, int triesLeft) {
    return new Task(
        id,
        Status.PENDING,
        request.requesterId(),
        request.kind(),
        request.prompt(),
        request.text(),
        null,
        null,
        now,
        now,
        0,
        conversationId,
        request.correlationId(),
        null,
        triesLeft);
  }

  /** The input; {} where there is none. */
  public ObjectNode inputTree() {
    return Objects.requireNonNullElseGet(tree(input), Json::object);
  }

  /** The error of a failed task. */
  public @Nullable String error() {
    ObjectNode details = tree(errorDetails);
    return details == null ? null : details.path("message").asText();
  }

  /** Parses JSON that this service has stored. */
  public static @Nullable ObjectNode tree(@Nullable String stored) {
    try {
      return stored == null ? null : (ObjectNode) Json.parse(stored);
    } catch (MalformedJsonException e) {
      throw new IllegalStateException("what is stored " + e.getMessage(), e);
    }
  }

  /** The topic of its stream. */
  public static String streamTopic(UUID id) {
    return "mad.stream." + id;
  }
}
