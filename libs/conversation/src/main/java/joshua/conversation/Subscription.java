package joshua.conversation;

/** A subscription, which lasts until it is closed. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  @Override
  void close();
}
