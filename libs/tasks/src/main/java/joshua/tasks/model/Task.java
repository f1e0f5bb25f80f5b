package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
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
 * @param attempts how often it was begun
 * @param cancelledBy who wants it to end
 */
public record Task(
    UUID id,
    TaskStatus status,
    String requesterId,
    TaskKind kind,
    String prompt,
    @Nullable String input,
    @Nullable String resultPayload,
    @Nullable String errorDetails,
    Instant createdAt,
    @Nullable Instant startedAt,
    Instant updatedAt,
    int attempts,
    UUID conversationId,
    UUID correlationId,
    @Nullable String cancelledBy,
    int triesLeft) {

  /** A task that has just been asked for. */
  public static Task of(
      TaskRequest request, UUID id, UUID conversationId, Instant now, int triesLeft) {
    return new Task(
        id,
        TaskStatus.PENDING,
        request.requesterId(),
        request.kind(),
        request.prompt(),
        request.text(),
        null,
        null,
        now,
        now,
        now,
        0,
        conversationId,
        request.correlationId(),
        null,
        triesLeft);
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
