package joshua.rogers.incident;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import joshua.conversation.RelayReports;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.conversation.envelope.EnvelopeCodec.MalformedEnvelopeException;
import joshua.kernel.Identifiers;
import joshua.kernel.UnicodeText;
import joshua.rogers.count.BusTap.Received;
import joshua.rogers.incident.Incident.Kind;
import joshua.rogers.presence.Registry;
import joshua.rogers.presence.Registry.PresenceMessage;

/**
 * Reads messages whole: what is no envelope is a dead letter; what participants send each other may
 * be a loop; a relay tells what its clients missed, and what they follow. Owned by the one thread
 * that looks.
 */
public final class Inspector {
  private static final int HEAD_BYTES = 1_024;
  private static final int LONGEST_CHANNEL = 164;
  private static final int MOST_RELAYS = 20;
  private static final Duration RELAY_KEPT = Duration.ofMinutes(1);

  private final Incidents incidents;
  private final LoopWatch loops;
  private final LongSupplier passed;
  private final RelayReports relays = new RelayReports();

  /** What instances of services said last is wrong with them, and isn't stored yet. */
  private final Map<List<String>, Envelope> problems = new LinkedHashMap<>();

  /** When those who have a tap of the bus last beat, by their names. */
  private final Map<String, Instant> taps = new LinkedHashMap<>();

  /** Nobody can have missed more messages than have {@code passed}. */
  public Inspector(Incidents incidents, LongSupplier passed) {
    this.incidents = incidents;
    this.passed = passed;
    this.loops = new LoopWatch(incidents);
  }

  /** Reads messages, and returns those that tell of presence. */
  public List<PresenceMessage> read(List<Received> received) {
    List<PresenceMessage> presence = new ArrayList<>();
    for (Received each : received) {
      envelope(each)
          .ifPresent(envelope -> {
            if (Registry.CHANNELS.contains(each.channel())) {
              presence.add(new PresenceMessage(envelope, each.at()));
            }
            read(envelope, each.body().length, each.at());
          });
    }
    return presence;
  }

  private void read(Envelope envelope, int size, Instant at) {
    Channel channel = envelope.channel();
    if (channel.equals(Channel.HEARTBEAT)) {
      beat(envelope, at);
    } else if (channel.equals(Channel.PRESENCE)) {
      relays.take(envelope, at); // one may leave
    } else if (channel.equals(RelayReports.CHANNEL)) {
      Instant beat = taps.getOrDefault(envelope.senderId(), Instant.MIN);
      if (beat.isAfter(at.minus(RELAY_KEPT))) {
        relays.take(envelope, at);
        told(envelope, at);
      }
    } else if (channel.equals(Channel.EVENTS)) {
      JsonNode event = envelope.payload();
      if (event.path("event").asText().equals("problems")) {
        problems.put(List.of(envelope.senderId(), event.path("instance").asText()), envelope);
      }
    } else {
      loops.sent(envelope, size, at);
    }
  }

  /** An envelope; empty for a dead letter, which is noted. */
  private Optional<Envelope> envelope(Received received) {
    byte[] body = received.body();
    try {
      return Optional.of(EnvelopeCodec.decode(received.channel(), body));
    } catch (MalformedEnvelopeException e) {
      String channel = received.channel().replaceAll("[^!-~]", "?");
      incidents.add(
          new Incident(
              Kind.DEAD_LETTER,
              received.at(),
              UnicodeText.truncate(channel, LONGEST_CHANNEL),
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

  private void told(Envelope report, Instant at) {
    for (JsonNode loser : report.payload().path("losers")) {
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
  }

  /** What relays say of their clients. */
  public Collection<RelayReports.Report> relays(Instant now) {
    return relays.alive(now);
  }

  /** What services say is wrong with them; to be cleared once it is stored. */
  public Collection<Envelope> problems() {
    return problems.values();
  }
}
