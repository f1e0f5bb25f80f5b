package joshua.tasks.model;

import java.time.Instant;
import java.util.UUID;

/**
 * A task in a list.
 *
 * @param prompt its first {@value #PROMPT_CHARACTERS} characters
 */
public record TaskSummary(
    UUID id,
    TaskKind kind,
    TaskState state,
    String requesterId,
    String prompt,
    Instant createdAt,
    Instant updatedAt) {
  public static final int PROMPT_CHARACTERS = 200;
}
