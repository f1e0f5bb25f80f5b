package joshua.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import joshua.conversation.BusConnection;
import joshua.conversation.BusIdentity;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.Timestamps;
import joshua.network.Access;
import joshua.network.Caller;
import joshua.network.Catalog;
import joshua.network.ReadinessCheck;
import joshua.network.Tool;
import joshua.network.ToolRegistry;

/**
 * The environment of a service.
 *
 * @param bus shared by the services of a process
 * @param database the file for its state, absolute, in a directory of its own
 * @param metrics the registry for the service's metrics
 * @param access the authorization rules
 * @param directReaders who may read the direct messages of others, besides administrators
 * @param addresses where the tools of the process's services are, by name, as far as they started
 */
public record ServiceContext(
    BusConnection bus,
    BusIdentity self,
    InstantSource time,
    Path database,
    PrometheusRegistry metrics,
    Access access,
    Set<String> directReaders,
    Map<String, String> addresses) {

  /** Whether a caller may read the direct messages of others. */
  public boolean readsOthersDirect(Caller caller) {
    return caller.role() == Role.ADMIN
        || caller.identity().filter(directReaders::contains).isPresent();
  }

  /** The description of this service, as the row of a query. */
  public ArrayNode selfDescription() {
    ArrayNode rows = Json.mapper().createArrayNode();
    rows.addObject()
        .put("version", self.version())
        .put("started_at", Timestamps.format(self.startedAt()))
        .put("instance", self.instance());
    return rows;
  }

  /** What a service with these tools offers. */
  public Catalog catalog(String title, String instructions, List<? extends Tool<?>> tools) {
    return new Catalog(
        self.name(), title, self.version(), instructions, new ToolRegistry(tools, time, metrics));
  }

  /** A metric that counts. */
  public Counter counter(String name, String help, String... labels) {
    return Counter.builder().name(name).help(help).labelNames(labels).register(metrics);
  }

  /** The check of the bus. */
  public ReadinessCheck busCheck() {
    return new ReadinessCheck("bus", bus.transport()::problem);
  }
}
