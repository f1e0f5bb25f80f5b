package joshua.thought.model;

import org.jspecify.annotations.Nullable;

/** What a model says that it has read and written. */
public record Usage(long tokensIn, long tokensOut) {
  /** Of two answers; null where one doesn't say. */
  public static @Nullable Usage sum(@Nullable Usage one, @Nullable Usage other) {
    return one == null || other == null
        ? null
        : new Usage(one.tokensIn + other.tokensIn, one.tokensOut + other.tokensOut);
  }
}
