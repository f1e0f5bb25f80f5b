package joshua.service;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import joshua.conversation.BusConnection;
import joshua.conversation.Participant;

/**
 * What a service is given.
 *
 * @param bus shared by the services of a process
 * @param self its name on the bus, and the instance that the process is
 * @param metrics what the service counts is registered there
 */
public record ServiceContext(
    BusConnection bus, Participant self, InstantSource time, PrometheusRegistry metrics) {}
