package joshua.state;

import org.jspecify.annotations.Nullable;

/**
 * What is done in a transaction. It may be run a second time when the first one was rolled back for
 * the sake of others, so it is a function of the transaction alone: it changes nothing else.
 */
@FunctionalInterface
public interface Job<T extends @Nullable Object> {
  T run(Transaction transaction);
}
