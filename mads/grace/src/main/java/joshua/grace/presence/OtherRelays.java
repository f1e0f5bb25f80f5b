package joshua.grace.presence;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;

/**
 * What the clients of other relays on the same Redis follow, as those relays report. Reports tell
 * of queues, also of clients that have been silent for long; the bus' presence doesn't. One that
 * hasn't reported for {@link #ALIVE} is forgotten, and of one that has too much to report the rest
 * isn't known.
 */
final class OtherRelays {
  static final Duration ALIVE = Duration.ofSeconds(30);
  private static final int MAX_RELAYS = 20;

  private record Other(long at, List<ChannelPattern> patterns) {}

  private final String self;
  private final LongSupplier nanoTime;
  private final Map<String, Other> others = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param self the instance of this relay
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  OtherRelays(String self, LongSupplier nanoTime) {
    this.self = self;
    this.nanoTime = nanoTime;
  }

  /** A report came. */
  void reported(Envelope report) {
    String instance = report.payload().path("instance").asText();
    forgetSilent();
    if (!instance.equals(self) && (others.size() < MAX_RELAYS || others.containsKey(instance))) {
      List<ChannelPattern> patterns =
          report.payload().path("patterns").properties().stream()
              .limit(RelayReport.MAX_PATTERNS)
              .flatMap(pattern -> ChannelPattern.parse(pattern.getKey()).stream())
              .toList();
      others.put(instance, new Other(nanoTime.getAsLong(), patterns));
    }
  }

  /** Something was said of presence; whether a relay has left. */
  void said(Envelope presence) {
    JsonNode payload = presence.payload();
    if (payload.path("event").asText().equals("leave") && !payload.has("via")) {
      others.remove(payload.path("instance").asText());
    }
  }

  private void forgetSilent() {
    long now = nanoTime.getAsLong();
    others.values().removeIf(other -> now - other.at() > ALIVE.toNanos());
  }

  /** Which relays have a queue that follows just this channel, not by a wildcard. */
  List<String> with(Channel channel) {
    if (others.isEmpty()) {
      return List.of();
    }
    forgetSilent();
    ChannelPattern exactly = ChannelPattern.exactly(channel);
    return others.entrySet().stream()
        .filter(other -> other.getValue().patterns().contains(exactly))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** How many of them have a queue that gets what is published on a channel. */
  long receiving(String channel) {
    if (others.isEmpty()) {
      return 0;
    }
    forgetSilent();
    return others.values().stream()
        .filter(other ->
            other.patterns().stream()
                .anyMatch(pattern -> pattern.matches(channel) && pattern.asksFor(channel)))
        .count();
  }
}
