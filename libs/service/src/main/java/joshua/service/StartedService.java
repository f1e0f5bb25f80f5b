package joshua.service;

import java.io.IOException;
import java.util.List;
import joshua.conversation.BusUnavailableException;
import joshua.kernel.ServiceLifecycle;
import joshua.network.Catalog;
import joshua.network.ReadinessCheck;

/** A service that consists of its parts; {@code onStopping} answers all waiting calls. */
public record StartedService(
    Catalog catalog,
    List<ReadinessCheck> readiness,
    List<ReadinessCheck> remarks,
    Runnable onStopping,
    ServiceLifecycle parts)
    implements RunningService {

  /** Starts the parts of a service, and adds them; where that fails, they are closed. */
  @FunctionalInterface
  public interface Wiring {
    StartedService start(ServiceLifecycle parts)
        throws IOException, BusUnavailableException, InterruptedException;
  }

  /** Starts a service; the message of an {@link IOException} is a sentence for the user. */
  public static StartedService of(Wiring wiring)
      throws IOException, BusUnavailableException, InterruptedException {
    ServiceLifecycle parts = new ServiceLifecycle();
    try {
      return wiring.start(parts);
    } catch (IOException | BusUnavailableException | InterruptedException | RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  @Override
  public void stopping() {
    onStopping.run();
  }

  @Override
  public void close() {
    parts.close();
  }
}
