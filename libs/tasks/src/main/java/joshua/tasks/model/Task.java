package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * A task as it is stored, with how it stands now.
 *
 * @param input what else was asked for, as JSON
 * @param resultPayload JSON, where it is completed
 * @param errorDetails JSON, where it has failed
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

  /** What a task is; decided when it is accepted. */
  public enum Kind {
    /** Somebody wants something done. */
    WORK,
    /** Somebody asks about the service itself; left out of lists and counts. */
    QUESTION
  }

  /** How a task stands (wire contract §4). The last two are final. */
  public enum Status {
    PENDING,
    RUNNING,
    /** Running, and text has come in the last seconds. */
    STREAMING,
    COMPLETED,
    FAILED;

    public boolean isFinal() {
      return this == COMPLETED || this == FAILED;
    }
  }

  /** A task that has just been asked for. */
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

  /** What else was asked for; {} where nothing was. */
  public ObjectNode inputTree() {
    return Objects.requireNonNullElseGet(tree(input), Json::object);
  }

  /** Why it has failed, if it has. */
  public @Nullable String error() {
    ObjectNode details = tree(errorDetails);
    return details == null ? null : details.path("message").asText();
  }

  /** JSON that this service has stored. */
  public static @Nullable ObjectNode tree(@Nullable String stored) {
    try {
      return stored == null ? null : (ObjectNode) Json.parse(stored);
    } catch (MalformedJsonException e) {
      throw new IllegalStateException("what is stored " + e.getMessage(), e);
    }
  }

  /** Where its text is streamed. */
  public static String streamTopic(UUID id) {
    return "mad.stream." + id;
  }
}
