package joshua.rogers.loss;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import joshua.conversation.ChannelPattern;
import joshua.conversation.Envelope;
import joshua.kernel.BusIdentifiers;
import joshua.rogers.presence.RelayId;

/**
 * One message of a relay's ledger, as wire contract §2 defines it: all of it, or a part.
 *
 * @param part from 1 to {@code parts}
 * @param pairs empty in parts that don't contain them
 */
record LedgerPage(
    RelayId relay,
    long marker,
    int part,
    int parts,
    Map<ChannelPattern, Received> subscriptions,
    Optional<Pairs> pairs,
    List<Loser> losers) {
  static final int PARTS = 64;
  static final int LOSERS = 100;

  /** No number is larger: {@value LossTables#ROWS} of them together still fit a long. */
  static final long MOST = 1L << 46;

  private static final Pattern REASON = Pattern.compile("[a-z_]{1,32}");

  /** A message of a relay that precedes its ledger: the moment at which both sides cut. */
  record Marker(RelayId relay, long number) {}

  /** Copies of one subscription since a marker. */
  record Received(long sinceMarker, long copies) {}

  /** Messages × clients. */
  record Pairs(
      long matched,
      long delivered,
      long overflowed,
      long evicted,
      long unsubscribed,
      long waiting) {
    long accountedFor() {
      return delivered + overflowed + evicted + unsubscribed + waiting;
    }

    /** What clients lost, as reported to them. */
    long lost() {
      return overflowed + evicted;
    }
  }

  /** A client that missed messages; how many, if that is known and plausible. */
  record Loser(String clientId, OptionalLong missed, String reason) {}

  /** The marker, if the message is one; any message without subscriptions may be. */
  static Optional<Marker> marker(Envelope envelope) {
    ObjectNode payload = envelope.payload();
    return payload.has("subscriptions") || !isNatural(payload.path("marker"))
        ? Optional.empty()
        : relay(envelope).map(relay -> new Marker(relay, payload.path("marker").asLong()));
  }

  /** The page, if the message has the right form; empty otherwise. */
  static Optional<LedgerPage> read(Envelope envelope) {
    ObjectNode payload = envelope.payload();
    Optional<RelayId> relay = relay(envelope);
    Optional<Map<ChannelPattern, Received>> subscriptions =
        subscriptions(payload.path("subscriptions"));
    Optional<Pairs> pairs = pairs(payload.path("pairs"));
    int part = payload.path("part").asInt(1);
    int parts = payload.path("parts").asInt(1);
    if (relay.isEmpty()
        || subscriptions.isEmpty()
        || (pairs.isEmpty() && payload.hasNonNull("pairs"))
        || !isNatural(payload.path("marker"))
        || part < 1
        || part > parts
        || parts > PARTS) {
      return Optional.empty();
    }
    return Optional.of(
        new LedgerPage(
            relay.get(),
            payload.path("marker").asLong(),
            part,
            parts,
            subscriptions.get(),
            pairs,
            losers(payload.path("losers"))));
  }

  private static Optional<RelayId> relay(Envelope envelope) {
    String instance = envelope.payload().path("instance").asText();
    String epoch = envelope.payload().path("epoch").asText();
    return BusIdentifiers.isIdentifier(instance) && BusIdentifiers.isIdentifier(epoch)
        ? Optional.of(new RelayId(envelope.senderId(), instance, epoch))
        : Optional.empty();
  }

  private static boolean isNatural(JsonNode node) {
    return node.isIntegralNumber()
        && node.canConvertToLong()
        && node.asLong() >= 0
        && node.asLong() <= MOST;
  }

  private static Optional<Map<ChannelPattern, Received>> subscriptions(JsonNode tree) {
    if (!tree.isObject()) {
      return Optional.empty();
    }
    Map<ChannelPattern, Received> subscriptions = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : tree.properties()) {
      Optional<ChannelPattern> pattern = ChannelPattern.parse(member.getKey());
      JsonNode since = member.getValue().path("since_marker");
      JsonNode received = member.getValue().path("received");
      if (pattern.isEmpty() || !isNatural(since) || !isNatural(received)) {
        return Optional.empty();
      }
      subscriptions.put(pattern.get(), new Received(since.asLong(), received.asLong()));
    }
    return Optional.of(subscriptions);
  }

  private static Optional<Pairs> pairs(JsonNode tree) {
    JsonNode dropped = tree.path("dropped");
    List<JsonNode> numbers =
        List.of(
            tree.path("matched"),
            tree.path("delivered"),
            dropped.path("overflow"),
            dropped.path("evicted"),
            dropped.path("unsubscribed"),
            tree.path("waiting"));
    if (!numbers.stream().allMatch(LedgerPage::isNatural)) {
      return Optional.empty();
    }
    long[] n = numbers.stream().mapToLong(JsonNode::asLong).toArray();
    return Optional.of(new Pairs(n[0], n[1], n[2], n[3], n[4], n[5]));
  }

  private static List<Loser> losers(JsonNode list) {
    List<Loser> losers = new ArrayList<>();
    for (JsonNode entry : list) {
      String client = entry.path("client_id").asText();
      String reason = entry.path("reason").asText();
      if (losers.size() < LOSERS && (BusIdentifiers.isIdentifier(client) || client.equals("*"))) {
        losers.add(
            new Loser(
                client,
                isNatural(entry.path("missed"))
                    ? OptionalLong.of(entry.path("missed").asLong())
                    : OptionalLong.empty(),
                REASON.matcher(reason).matches() ? reason : "other"));
      }
    }
    return losers;
  }
}
