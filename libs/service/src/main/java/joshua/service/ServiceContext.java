package joshua.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import joshua.conversation.BusConnection;
import joshua.conversation.BusIdentity;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.network.Access;
import joshua.network.ReadinessCheck;

/**
 * What a service is given.
 *
 * @param bus shared by the services of a process
 * @param database where it may keep its state: a file in a directory of its own, absolute
 * @param metrics what the service counts is registered there
 * @param access which names are services'
 */
public record ServiceContext(
    BusConnection bus,
    BusIdentity self,
    InstantSource time,
    Path database,
    PrometheusRegistry metrics,
    Access access) {

  /** What a service says of itself, as the row of a query. */
  public ArrayNode selfDescription() {
    ArrayNode rows = Json.mapper().createArrayNode();
    rows.addObject()
        .put("version", self.version())
        .put("started_at", Timestamps.format(self.startedAt()))
        .put("instance", self.instance());
    return rows;
  }

  /** Whether the bus is usable. */
  public ReadinessCheck busCheck() {
    return new ReadinessCheck("bus", bus.transport()::problem);
  }
}
