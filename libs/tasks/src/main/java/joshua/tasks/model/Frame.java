package joshua.tasks.model;

import org.jspecify.annotations.Nullable;

/** A piece of a task's stream, numbered from 0 in each attempt, perhaps of one model of several. */
public record Frame(int sequence, @Nullable String model, String token, boolean last) {}
