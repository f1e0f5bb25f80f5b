package joshua.conversation;

/** An active subscription; closing it unsubscribes. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  @Override
  void close();
}
