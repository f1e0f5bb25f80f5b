package joshua.rogers.incident;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.conversation.envelope.EnvelopeCodec.MalformedEnvelopeException;
import joshua.kernel.Identifiers;
import joshua.rogers.count.BusTap.Received;
import joshua.rogers.incident.Incident.Kind;
import joshua.rogers.presence.PresenceMessage;

/**
 * Reads messages whole: what is no envelope is a dead letter; what participants send each other may
 * be a loop; a relay tells what its clients missed, and what they follow. Owned by the one thread
 * that looks.
 */
public final class Inspector {
  private static final String RELAY = "mad.system.relay";
  private static final int HEAD_BYTES = 1_024;
  private static final int LONGEST_CHANNEL = 164;
  private static final int MOST_PATTERNS = 500;
  private static final int MOST_RELAYS = 20;
  private static final Duration RELAY_KEPT = Duration.ofMinutes(1);

  private final Incidents incidents;
  private final LoopWatch loops;
  private final LongSupplier passed;
  private final Map<String, Followers> followers = new LinkedHashMap<>();

  /** What instances of services said last is wrong with them, and isn't stored yet. */
  private final Map<List<String>, Envelope> problems = new LinkedHashMap<>();

  /** When those who have a tap of the bus last beat, by their names. */
  private final Map<String, Instant> taps = new LinkedHashMap<>();

  /**
   * An inspector.
   *
   * @param passed how many messages have been published, more than which nobody missed
   */
  public Inspector(Incidents incidents, LongSupplier passed) {
    this.incidents = incidents;
    this.passed = passed;
    this.loops = new LoopWatch(incidents);
  }

  /**
   * What the clients of a relay follow.
   *
   * @param patterns with the number of clients
   */
  public record Followers(Instant at, Map<String, Integer> patterns) {
    /** Whether there may be others, which the relay had no room for. */
    boolean isCut() {
      return patterns.size() >= MOST_PATTERNS;
    }
  }

  /** Reads what isn't of services. */
  public void others(List<Received> received) {
    for (Received each : received) {
      read(each).ifPresent(envelope -> loops.sent(envelope, each.body().length, each.at()));
    }
  }

  /** Reads what services say, and returns what they say of presence. */
  public List<PresenceMessage> services(List<Received> received) {
    List<PresenceMessage> presence = new ArrayList<>();
    for (Received each : received) {
      read(each)
          .ifPresent(envelope -> {
            PresenceMessage.read(envelope, each.at()).ifPresent(presence::add);
            if (envelope.channel().equals(Channel.EVENTS)
                && envelope.payload().path("event").asText().equals("problems")) {
              String instance = envelope.payload().path("instance").asText();
              problems.put(List.of(envelope.senderId(), instance), envelope);
            }
            if (each.channel().equals(Channel.HEARTBEAT.name())) {
              beat(envelope, each.at());
            } else if (each.channel().equals(RELAY)
                && taps.getOrDefault(envelope.senderId(), Instant.MIN)
                    .isAfter(each.at().minus(RELAY_KEPT))) {
              report(envelope, each.at());
            }
          });
    }
    return presence;
  }

  /** An envelope; empty for a dead letter, which is noted. */
  private Optional<Envelope> read(Received received) {
    byte[] body = received.body();
    try {
      return Optional.of(EnvelopeCodec.decode(received.channel(), body));
    } catch (MalformedEnvelopeException e) {
      String channel = received.channel().replaceAll("[^!-~]", "?");
      incidents.add(
          new Incident(
              Kind.DEAD_LETTER,
              received.at(),
              channel.substring(0, Math.min(channel.length(), LONGEST_CHANNEL)),
              1,
              String.valueOf(e.getMessage()),
              true,
              new String(body, 0, Math.min(body.length, HEAD_BYTES), StandardCharsets.UTF_8)));
      return Optional.empty();
    }
  }

  /** A relay is heard to beat, with its tap, before its reports are believed. */
  private void beat(Envelope heartbeat, Instant at) {
    if (heartbeat.payload().path("detail").has("tap")) {
      taps.values().removeIf(last -> last.isBefore(at.minus(RELAY_KEPT)));
      if (taps.size() < MOST_RELAYS || taps.containsKey(heartbeat.senderId())) {
        taps.put(heartbeat.senderId(), at);
      }
    }
  }

  private void report(Envelope report, Instant at) {
    JsonNode payload = report.payload();
    for (JsonNode loser : payload.path("losers")) {
      String client = loser.path("client_id").asText();
      if (Identifiers.isName(client) && Identifiers.isName(loser.path("reason").asText())) {
        long missed = Math.clamp(loser.path("missed").asLong(), 0, passed.getAsLong());
        incidents.problem(
            Kind.MISSED,
            at,
            client,
            missed,
            "%s, as %s told it".formatted(loser.path("reason").asText(), report.senderId()));
      }
    }
    Map<String, Integer> patterns = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : payload.path("patterns").properties()) {
      if (patterns.size() < MOST_PATTERNS && ChannelPattern.parse(each.getKey()).isPresent()) {
        patterns.put(each.getKey(), each.getValue().asInt());
      }
    }
    followers.values().removeIf(each -> each.at().isBefore(at.minus(RELAY_KEPT)));
    if (followers.size() < MOST_RELAYS || followers.containsKey(report.senderId())) {
      followers.put(report.senderId(), new Followers(at, patterns));
    }
  }

  /** What the clients of relays follow, by the relays' names, as they last said. */
  public Map<String, Followers> followers() {
    return followers;
  }

  /** What services say is wrong with them; to be cleared once it is stored. */
  public Map<List<String>, Envelope> problems() {
    return problems;
  }
}
