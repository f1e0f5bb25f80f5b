package joshua.service;

import java.util.List;
import joshua.network.ReadinessCheck;
import joshua.network.ToolRegistry;

/** A service that has been started. */
public interface RunningService extends AutoCloseable {
  ToolRegistry tools();

  /** Whether what it needs is usable. */
  List<ReadinessCheck> readiness();

  @Override
  void close();
}
