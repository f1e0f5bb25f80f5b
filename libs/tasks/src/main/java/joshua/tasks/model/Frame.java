package joshua.tasks.model;

import org.jspecify.annotations.Nullable;

/**
 * A piece of the stream of a task.
 *
 * @param sequence its number in the attempt, from 0
 * @param model which wrote it, where several do
 * @param last whether the attempt has ended with it
 */
public record Frame(int sequence, @Nullable String model, String token, boolean last) {}
