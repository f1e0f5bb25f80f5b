package joshua.conversation;

/** Something that is subscribed to until it is closed. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  @Override
  void close();
}
