package joshua.grace.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Supplier;
import joshua.grace.queue.ClientQueues;

/**
 * Counters of what Grace did, as message × client: for metrics and for the ledger (+RG-17). Guarded
 * by the lock of {@link ClientQueues}.
 */
public final class RelayMeters {
  private final MeterRegistry registry;
  private final Tally matched;
  private final Tally delivered;
  private final Tally overflowed;
  private final Tally lostByEviction;
  private final Tally lostByUnsubscribing;
  private final Counter evictions;
  private final LossReport lossReport = new LossReport();

  /** One number, as a metric and exact. */
  private static final class Tally {
    private final Counter counter;
    private long messages;

    Tally(Counter counter) {
      this.counter = counter;
    }

    void add(int more) {
      messages += more;
      counter.increment(more);
    }
  }

  public RelayMeters(MeterRegistry registry) {
    this.registry = registry;
    this.matched = new Tally(counter("joshua.grace.matched", "Messages put into a client's queue"));
    this.delivered =
        new Tally(
            counter(
                "joshua.grace.delivered",
                "Messages that clients have: answered, or acknowledged where a cursor is used"));
    this.overflowed = dropped("overflow");
    this.lostByEviction = dropped("evicted");
    this.lostByUnsubscribing = dropped("unsubscribed");
    this.evictions =
        counter(
            "joshua.grace.evictions",
            "Clients whose queue was taken away, for a newer one or by an admin");
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  private Tally dropped(String reason) {
    return new Tally(
        Counter.builder("joshua.grace.dropped")
            .description("Messages taken from a client's queue unread; the client is told")
            .tag("reason", reason)
            .register(registry));
  }

  public void watch(Supplier<Number> clients, Supplier<Number> waiting, Supplier<Number> bytes) {
    gauge("joshua.grace.clients", "Clients that have a queue", clients);
    gauge("joshua.grace.waiting", "Messages that wait in queues", waiting);
    gauge("joshua.grace.waiting.bytes", "Bytes that wait, shared messages counted once", bytes);
  }

  private void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  public void matched() {
    matched.add(1);
  }

  public void delivered(int messages) {
    delivered.add(messages);
  }

  public void overflowed(String clientId) {
    overflowed.add(1);
    lossReport.missed(clientId, MissedMessages.Reason.OVERFLOW, 1);
  }

  public void evicted(String clientId, int messages) {
    evictions.increment();
    lostByEviction.add(messages);
    if (messages > 0) {
      lossReport.missed(clientId, MissedMessages.Reason.EVICTED, messages);
    }
  }

  /** What a client discards by its own request isn't a loss. */
  public void unsubscribed(int messages) {
    lostByUnsubscribing.add(messages);
  }

  /** A client may have missed messages, and it is unknown how many. */
  public void broken(String clientId, MissedMessages.Reason reason) {
    lossReport.missedUnknown(clientId, reason);
  }

  public DeliveryTotals pairs(long waiting) {
    return new DeliveryTotals(
        matched.messages,
        delivered.messages,
        overflowed.messages,
        lostByEviction.messages,
        lostByUnsubscribing.messages,
        waiting);
  }

  public List<LossReport.Loser> takeLosers(int most) {
    return lossReport.take(most);
  }

  public void giveBack(List<LossReport.Loser> untold) {
    lossReport.giveBack(untold);
  }
}
