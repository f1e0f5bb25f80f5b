package joshua.network.mcp;

/** Something that goes on until it is closed. */
@FunctionalInterface
public interface ResourceSubscription extends AutoCloseable {
  @Override
  void close();
}
