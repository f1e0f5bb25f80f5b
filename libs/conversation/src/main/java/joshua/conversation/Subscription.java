package joshua.conversation;

/** Something followed; closing it ends the following. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  @Override
  void close();
}
