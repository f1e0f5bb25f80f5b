package joshua.grace.presence;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.LongSupplier;
import joshua.grace.queue.ClientQueues;

/** The Prometheus metrics of the relay (+JN-05). */
public final class RelayMetrics {
  private final CounterDataPoint received;
  private final CounterDataPoint malformed;

  public RelayMetrics(PrometheusRegistry metrics, ClientQueues queues) {
    Counter messages =
        Counter.builder()
            .name("joshua_relay_received_total")
            .help("Messages from the bus; a malformed one is no envelope, as far as it was read.")
            .labelNames("kind")
            .register(metrics);
    received = messages.labelValues("envelope");
    malformed = messages.labelValues("malformed");
    gauge(metrics, "clients", "Clients that have a queue.", queues::clients);
    gauge(
        metrics,
        "waiting_messages",
        "Messages that wait in queues.",
        () -> queues.waiting().messages());
    gauge(
        metrics,
        "waiting_bytes",
        "Their bytes; one in several queues once.",
        () -> queues.waiting().bytes());
    CounterWithCallback.builder()
        .name("joshua_relay_losses_told_total")
        .help("How often a client was told that it missed messages.")
        .labelNames("reason")
        .callback(counter ->
            queues.losses().totals().forEach((why, times) -> counter.call(times, why.word())))
        .register(metrics);
  }

  private static void gauge(
      PrometheusRegistry metrics, String name, String help, LongSupplier value) {
    GaugeWithCallback.builder()
        .name("joshua_relay_" + name)
        .help(help)
        .callback(gauge -> gauge.call((double) value.getAsLong()))
        .register(metrics);
  }

  void received(boolean wellFormed) {
    (wellFormed ? received : malformed).inc();
  }
}
