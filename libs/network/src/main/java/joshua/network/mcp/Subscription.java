package joshua.network.mcp;

/** Something that goes on until it is closed. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  @Override
  void close();
}
