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
import joshua.conversation.MessageBuffer.ReceivedMessage;
import joshua.conversation.PresenceMessage;
import joshua.conversation.RelayReports;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.conversation.envelope.EnvelopeCodec.MalformedEnvelopeException;
import joshua.kernel.Identifiers;
import joshua.kernel.UnicodeText;
import joshua.network.Access;
import joshua.rogers.incident.Incident.Kind;

/**
 * Inspects whole messages: finds dead letters, which are no envelopes, and loops, and collects the
 * reports of relays about their clients and of services about their problems. Owned by the
 * monitor's thread.
 */
public final class MessageInspector {
  private static final int HEAD_BYTES = 1_024;
  private static final int MAX_CHANNEL_LENGTH = 164;
  private static final int MAX_RELAYS = 20;
  private static final Duration RELAY_TIMEOUT = Duration.ofMinutes(1);

  private final PendingIncidents incidents;
  private final LoopDetector loops;
  private final LongSupplier totalMessages;
  private final RelayReports relays = new RelayReports();

  /** Unstored reports of services' problems, by service and instance. */
  private final Map<List<String>, Envelope> problems = new LinkedHashMap<>();

  /** The last heartbeats of participants with a tap of the bus, by name. */
  private final Map<String, Instant> tapBeats = new LinkedHashMap<>();

  /** No client can have missed more than {@code totalMessages}, the number of all messages. */
  public MessageInspector(PendingIncidents incidents, LongSupplier totalMessages, Access access) {
    this.incidents = incidents;
    this.totalMessages = totalMessages;
    this.loops = new LoopDetector(incidents, access::isService);
  }

  /** Inspects messages, and returns those about presence. */
  public List<PresenceMessage> inspect(List<ReceivedMessage> received) {
    List<PresenceMessage> presence = new ArrayList<>();
    for (ReceivedMessage each : received) {
      decode(each)
          .ifPresent(envelope -> {
            if (PresenceMessage.CHANNELS.contains(each.channel())) {
              presence.add(new PresenceMessage(envelope, each.at()));
            }
            inspect(envelope, each.body().length, each.at());
          });
    }
    return presence;
  }

  private void inspect(Envelope envelope, int size, Instant at) {
    Channel channel = envelope.channel();
    if (channel.equals(Channel.HEARTBEAT)) {
      beat(envelope, at);
    } else if (channel.equals(Channel.PRESENCE)) {
      relays.take(envelope, at); // a relay may leave
    } else if (channel.equals(RelayReports.CHANNEL)) {
      Instant beat = tapBeats.getOrDefault(envelope.senderId(), Instant.MIN);
      if (beat.isAfter(at.minus(RELAY_TIMEOUT))) {
        relays.take(envelope, at);
        reportMissed(envelope, at);
      }
    } else if (channel.equals(Channel.EVENTS)) {
      JsonNode event = envelope.payload();
      if (event.path("event").asText().equals("problems")) {
        problems.put(List.of(envelope.senderId(), event.path("instance").asText()), envelope);
      }
    } else {
      loops.record(envelope, size, at);
    }
  }

  /** The envelope of a message; empty for a dead letter, which becomes an incident. */
  private Optional<Envelope> decode(ReceivedMessage received) {
    byte[] body = received.body();
    try {
      return Optional.of(EnvelopeCodec.decode(received.channel(), body));
    } catch (MalformedEnvelopeException e) {
      String channel = received.channel().replaceAll("[^!-~]", "?");
      incidents.add(
          new Incident(
              Kind.DEAD_LETTER,
              received.at(),
              UnicodeText.truncate(channel, MAX_CHANNEL_LENGTH),
              1,
              String.valueOf(e.getMessage()),
              true,
              new String(body, 0, Math.min(body.length, HEAD_BYTES), StandardCharsets.UTF_8)));
      return Optional.empty();
    }
  }

  /** Notes relays by their heartbeats, which name a tap; only their reports are accepted. */
  private void beat(Envelope heartbeat, Instant at) {
    if (heartbeat.payload().path("detail").has("tap")) {
      tapBeats.values().removeIf(last -> last.isBefore(at.minus(RELAY_TIMEOUT)));
      if (tapBeats.size() < MAX_RELAYS || tapBeats.containsKey(heartbeat.senderId())) {
        tapBeats.put(heartbeat.senderId(), at);
      }
    }
  }

  private void reportMissed(Envelope report, Instant at) {
    for (JsonNode loser : report.payload().path("losers")) {
      String client = loser.path("client_id").asText();
      if (Identifiers.isName(client) && Identifiers.isName(loser.path("reason").asText())) {
        long missed = Math.clamp(loser.path("missed").asLong(), 0, totalMessages.getAsLong());
        incidents.addProblem(
            Kind.MISSED,
            at,
            client,
            missed,
            "%s, as %s told it".formatted(loser.path("reason").asText(), report.senderId()));
      }
    }
  }

  /** The last reports of the relays that are alive. */
  public Collection<RelayReports.Report> relays(Instant now) {
    return relays.alive(now);
  }

  /** Unstored reports of services' problems; to be cleared once they are stored. */
  public Collection<Envelope> problems() {
    return problems.values();
  }
}
