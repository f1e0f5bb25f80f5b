package joshua.service;

import java.util.List;
import joshua.network.Catalog;
import joshua.network.ReadinessCheck;

/** A service that has been started. */
public interface RunningService extends AutoCloseable {
  Catalog catalog();

  /** Whether what it needs is usable. */
  List<ReadinessCheck> readiness();

  /** What its administrators should know, although it is usable. */
  default List<ReadinessCheck> remarks() {
    return List.of();
  }

  /** Answers all calls that wait with what there is: the port is going to be closed. */
  default void stopping() {}

  @Override
  void close();
}
