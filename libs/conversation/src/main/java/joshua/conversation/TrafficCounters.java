package joshua.conversation;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The metrics of one connection to the bus. */
final class TrafficCounters {
  private final Counter received;
  private final Counter malformed;
  private final Map<Gap.Reason, Counter> gaps = new EnumMap<>(Gap.Reason.class);
  private final Counter accepted;
  private final Counter refused;
  private final Counter unknown;

  TrafficCounters(MeterRegistry meters) {
    received =
        Counter.builder("joshua.bus.received")
            .description("Valid envelopes that arrived, each counted once")
            .register(meters);
    malformed =
        Counter.builder("joshua.bus.malformed")
            .description("Messages that are no valid envelope; they reach nobody")
            .register(meters);
    for (Gap.Reason reason : Gap.Reason.values()) {
      gaps.put(
          reason,
          Counter.builder("joshua.bus.gaps")
              .description("Times that subscribers were told that they may have missed something")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(meters));
    }
    accepted = published(meters, "accepted");
    refused = published(meters, "refused");
    unknown = published(meters, "unknown");
  }

  private static Counter published(MeterRegistry meters, String outcome) {
    return Counter.builder("joshua.bus.published")
        .description("Envelopes handed to Redis, by what is known of them")
        .tag("outcome", outcome)
        .register(meters);
  }

  void received() {
    received.increment();
  }

  void malformed() {
    malformed.increment();
  }

  void gap(Gap.Reason reason) {
    java.util.Objects.requireNonNull(gaps.get(reason)).increment();
  }

  void sent(SendResult sendResult) {
    switch (sendResult) {
      case SendResult.Accepted yes -> accepted.increment();
      case SendResult.Refused no -> refused.increment();
      case SendResult.OutcomeUnknown perhaps -> unknown.increment();
    }
  }
}
