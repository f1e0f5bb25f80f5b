package joshua.tasks.model;

import java.util.Optional;
import java.util.UUID;

/**
 * The filter of a list of tasks, newest first.
 *
 * @param kind absent: both
 * @param idPrefix the prefix of their ids
 * @param before only those older than this task
 * @param limit the maximum number of tasks
 */
public record TaskFilter(
    Optional<String> requesterId,
    Optional<TaskState> state,
    Optional<TaskKind> kind,
    Optional<String> idPrefix,
    Optional<UUID> before,
    int limit) {
  public static final int MAX_LIMIT = 200;

  public TaskFilter {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("a list has 1-" + MAX_LIMIT + " tasks");
    }
  }
}
