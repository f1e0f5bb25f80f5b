package joshua.grace.presence;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RelayReports;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Channel;
import joshua.grace.queue.ClientPresence;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.LossReport.Told;
import joshua.kernel.Json;

/**
 * What the relay tells of its clients, what waits for them, what they follow, and the losses that
 * they were told of: reports on {@code mad.system.relay}, and metrics for Prometheus (+JN-05).
 */
public final class RelayReport {
  private record Report(
      String instance,
      int clients,
      int waiting,
      @JsonUnwrapped Told told,
      Map<String, Integer> unread,
      Map<String, Integer> patterns,
      List<String> left) {}

  private final ConversationBus bus;
  private final ClientQueues queues;
  private final ClientPresence clients;
  private final Counter losses;
  private final CounterDataPoint received;
  private final CounterDataPoint malformed;
  private volatile long reported;

  public RelayReport(
      ConversationBus bus,
      ClientQueues queues,
      ClientPresence clients,
      PrometheusRegistry metrics) {
    this.bus = bus;
    this.queues = queues;
    this.clients = clients;
    Counter messages =
        Counter.builder()
            .name("joshua_relay_received_total")
            .help("Messages from the bus; a malformed one is no envelope, as far as it was read.")
            .labelNames("kind")
            .register(metrics);
    received = messages.labelValues("envelope");
    malformed = messages.labelValues("malformed");
    gauge(metrics, "clients", "Clients that have a queue.", queues::clients);
    gauge(metrics, "waiting_messages", "Messages that wait in queues.", queues::waitingMessages);
    gauge(
        metrics, "waiting_bytes", "Their bytes; one in several queues once.", queues::waitingBytes);
    losses =
        Counter.builder()
            .name("joshua_relay_losses_told_total")
            .help("How often a client was told that it missed messages.")
            .labelNames("reason")
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

  public void sendIfChanged() {
    if (queues.topics().generation() != reported) {
      var _ = send();
    }
  }

  /** Sends a report of what has happened since the last one. */
  public CompletableFuture<SendResult> send() {
    reported = queues.topics().generation();
    Map<String, Integer> patterns = new HashMap<>();
    queues.topics().followers().entrySet().stream()
        .limit(RelayReports.MAX_PATTERNS)
        .forEach(topic -> patterns.put(topic.getKey(), topic.getValue()));
    bus.requests()
        .askers() // replies reach them without a queue
        .forEach(asker -> patterns.putIfAbsent(Channel.direct(asker).name(), 0));
    Told told = queues.losses().take();
    told.told().forEach((why, times) -> losses.labelValues(why.word()).inc(times));
    Report report =
        new Report(
            bus.self().instance(),
            queues.clients(),
            queues.waitingMessages(),
            told,
            clients.unread(RelayReports.MAX_UNREAD),
            patterns,
            queues.topics().takeLeft());
    return bus.sendAsync(
        OutgoingMessage.on(RelayReports.CHANNEL, Json.mapper().valueToTree(report)));
  }
}
