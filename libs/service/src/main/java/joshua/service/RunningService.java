package joshua.service;

import java.util.List;
import joshua.network.Catalog;
import joshua.network.ReadinessCheck;

/** A started service. */
public interface RunningService extends AutoCloseable {
  Catalog catalog();

  /** The checks of what it needs. */
  List<ReadinessCheck> readiness();

  /** The checks whose findings administrators should know, although the service is usable. */
  default List<ReadinessCheck> remarks() {
    return List.of();
  }

  /** Answers all waiting calls with what there is, before the port is closed. */
  default void stopping() {}

  @Override
  void close();
}
