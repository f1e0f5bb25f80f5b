package joshua.tasks.model;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks to list, newest first.
 *
 * @param before only tasks that are older than this one
 */
public record TaskFilter(
    @Nullable String requesterId,
    @Nullable TaskStatus status,
    @Nullable TaskKind kind,
    @Nullable UUID before,
    int limit) {}
