package joshua.tasks.model;

import org.jspecify.annotations.Nullable;

/**
 * A piece of the stream of a task, numbered from 0 in each attempt.
 *
 * @param model which wrote it, where several do
 */
public record Frame(int sequence, @Nullable String model, String token, boolean last) {}
