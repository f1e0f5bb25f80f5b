package joshua.rogers.incident;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import joshua.conversation.PresenceMessage;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.network.Access;
import joshua.rogers.count.TrafficCount;
import joshua.rogers.incident.Incident.Kind;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

/** What an archivist heard is kept, and so isn't lost. */
class ArchivistsTest {
  private static final Access ACCESS = new Access(Set.of("dewey", "fiedler"));
  private static final Instant START = Instant.parse("2026-11-29T10:00:00Z");

  private final Archivists archivists = new Archivists(ACCESS);

  private void receive(String name, Channel channel, String payload, int second) throws Exception {
    Instant at = START.plusSeconds(second);
    String json = RawEnvelope.on(channel.name()).from(name).payload(payload).json();
    Envelope envelope = EnvelopeCodec.decode(channel.name(), json.getBytes(UTF_8));
    archivists.receive(new PresenceMessage(envelope, at));
  }

  private void beats(String name, String instance, int second) throws Exception {
    String payload =
        """
        {"status":"HEALTHY","instance":"%s","detail":{"keeps":"all"}}\
        """;
    receive(name, Channel.HEARTBEAT, payload.formatted(instance), second);
  }

  private boolean heard(int second) {
    return archivists.heard(START.plusSeconds(second));
  }

  @Test
  void anArchivistHearsFromItsFirstHeartbeatToItsLast() throws Exception {
    beats("dewey", "one", 10);
    beats("dewey", "one", 20);
    receive("dewey", Channel.PRESENCE, "{\"event\":\"leave\",\"instance\":\"one\"}", 25);
    beats("dewey", "two", 30);
    beats("dewey", "two", 40);
    beats("mallory", "three", 41);
    beats("mallory", "three", 60);
    assertThat(List.of(heard(9), heard(10), heard(24), heard(26), heard(35), heard(41)))
        .containsExactly(false, true, true, false, true, false);
  }

  @Test
  void whatIsKeptForSomebodyAwayIsNoProblem() throws Exception {
    PendingIncidents incidents = new PendingIncidents();
    UnheardDetector unheard =
        new UnheardDetector(
            incidents, _ -> true, archivists, ACCESS, _ -> Optional.of(Map.of()), () -> false);
    beats("dewey", "one", 0);
    beats("dewey", "one", 10);
    unheard.add(List.of(sent("bob", 5), sent("fiedler", 5), sent("ann", 11)));
    unheard.check(START.plusSeconds(12), List.of());
    unheard.check(START.plusSeconds(24), List.of());
    assertThat(incidents.all()).as("of the third an archivist may tell").hasSize(2);
    unheard.check(START.plusSeconds(41), List.of());
    assertThat(incidents.all())
        .extracting(Incident::kind, Incident::subject, Incident::isProblem)
        .containsExactly(
            tuple(Kind.KEPT_AWAY, "bob", false),
            tuple(Kind.LOST_AWAY, "fiedler", true),
            tuple(Kind.LOST_AWAY, "ann", true));
  }

  private static TrafficCount sent(String recipient, int second) {
    Instant at = START.plusSeconds(second);
    return new TrafficCount(
        START, "cid", "mad.direct." + recipient, Channel.Kind.DIRECT, 1, 100, at);
  }
}
