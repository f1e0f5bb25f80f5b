package joshua.grace;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** What the relay did, as metrics, counted as message × client. */
final class RelayMeters {
  private final MeterRegistry registry;
  private final Counter matched;
  private final Counter delivered;
  private final Counter overflowed;
  private final Counter lostByEviction;
  private final Counter lostByUnsubscribing;
  private final Counter evictions;

  RelayMeters(MeterRegistry registry) {
    this.registry = registry;
    this.matched = counter("joshua.grace.matched", "Messages put into a client's queue");
    this.delivered =
        counter("joshua.grace.delivered", "Messages returned by polls, repeats included");
    this.overflowed = dropped("overflow");
    this.lostByEviction = dropped("evicted");
    this.lostByUnsubscribing = dropped("unsubscribed");
    this.evictions =
        counter("joshua.grace.evictions", "Clients that lost their queue to a newer one");
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  private Counter dropped(String reason) {
    return Counter.builder("joshua.grace.dropped")
        .description("Messages taken from a client's queue unread; the client is told")
        .tag("reason", reason)
        .register(registry);
  }

  void watch(Supplier<Number> clients, Supplier<Number> waiting, Supplier<Number> bytes) {
    gauge("joshua.grace.clients", "Clients that have a queue", clients);
    gauge("joshua.grace.waiting", "Messages that wait in queues", waiting);
    gauge("joshua.grace.waiting.bytes", "Bytes that wait, shared messages counted once", bytes);
  }

  private void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  void matched() {
    matched.increment();
  }

  void delivered(int messages) {
    delivered.increment(messages);
  }

  void overflowed() {
    overflowed.increment();
  }

  void evicted(int messages) {
    evictions.increment();
    lostByEviction.increment(messages);
  }

  void unsubscribed(int messages) {
    lostByUnsubscribing.increment(messages);
  }
}
