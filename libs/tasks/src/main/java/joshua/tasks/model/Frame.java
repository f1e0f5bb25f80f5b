package joshua.tasks.model;

import org.jspecify.annotations.Nullable;

/** A piece of a task's stream, numbered from 0 in each attempt; of one model, if several write. */
public record Frame(int sequence, @Nullable String model, String token, boolean last) {}
