package joshua.rogers.loss;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.rogers.presence.RelayId;

/**
 * The findings about one ledger, or about its absence (+RG-17).
 *
 * @param at the moment of the cut, by Rogers' clock
 * @param ledgers how many complete ledgers these findings cover: one or none
 * @param compared subscriptions and pairs that were compared
 * @param notComparable subscriptions that could not be compared, in this span
 * @param messages copies that should have been received, of the subscriptions that were compared
 * @param dropped what clients lost in the relay's queues, as reported to them
 */
record LedgerFindings(
    RelayId relay,
    Instant at,
    int ledgers,
    int compared,
    int notComparable,
    long messages,
    long dropped,
    List<Difference> differences,
    List<LedgerPage.Loser> losers,
    Optional<Uncompared> uncompared) {

  /** The way of messages from one to the other. */
  enum Hop {
    TO_RELAY,
    TO_CLIENTS;

    /** {@code bus>grace}, {@code grace>clients}. */
    String of(String relay) {
      return switch (this) {
        case TO_RELAY -> "bus>" + relay;
        case TO_CLIENTS -> relay + ">clients";
      };
    }
  }

  /**
   * A disagreement between two cuts.
   *
   * @param subject the subscription, or {@code pairs}
   */
  record Difference(
      Instant since,
      Instant until,
      Hop hop,
      String subject,
      long expected,
      long actual,
      String reason) {
    /** The detail of the event about it. */
    ObjectNode tree(RelayId relay) {
      return Json.object()
          .put("hop", hop.of(relay.name()))
          .put("relay", relay.name())
          .put("instance", relay.instance())
          .put("rule", rule())
          .put("of", subject)
          .put("since", EnvelopeCodec.timestamp(since))
          .put("until", EnvelopeCodec.timestamp(until))
          .put("expected", expected)
          .put("actual", actual)
          .put("reason", reason);
    }

    int rule() {
      return switch (hop) {
        case TO_RELAY -> 1;
        case TO_CLIENTS -> 2;
      };
    }
  }

  /** A span in which the relay could not be compared as a whole. */
  record Uncompared(Instant since, Instant until, String reason) {}

  /** Findings of a span without a ledger. */
  static LedgerFindings unheard(RelayId relay, int subscriptions, Uncompared span) {
    return new LedgerFindings(
        relay, span.until(), 0, 0, subscriptions, 0, 0, List.of(), List.of(), Optional.of(span));
  }
}
