package joshua.state;

import org.jspecify.annotations.Nullable;

/**
 * The work in a transaction. It may run twice, if the first run was rolled back because of another
 * job, so it must have no other effect than on the transaction.
 */
@FunctionalInterface
public interface Job<T extends @Nullable Object> {
  T run(Transaction transaction);
}
