package joshua.dewey.mail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import joshua.conversation.PresenceMessage;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.network.Access;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

class PresencesTest {
  private static final Instant START = Instant.parse("2026-11-29T10:00:00Z");

  private final Presences presences = new Presences(new Access(Set.of("dewey", "grace")));

  private List<String> receive(String name, Channel channel, String payload, int second)
      throws Exception {
    Instant at = START.plusSeconds(second);
    String json = RawEnvelope.on(channel.name()).from(name).payload(payload).json();
    Envelope envelope = EnvelopeCodec.decode(channel.name(), json.getBytes(UTF_8));
    return presences.receive(new PresenceMessage(envelope, at));
  }

  private List<String> beats(String name, String instance, int second) throws Exception {
    String payload = "{\"status\":\"HEALTHY\",\"instance\":\"%s\"}";
    return receive(name, Channel.HEARTBEAT, payload.formatted(instance), second);
  }

  private List<String> announces(String event, String name, String more, int second)
      throws Exception {
    return receive(name, Channel.PRESENCE, "{\"event\":\"%s\"%s}".formatted(event, more), second);
  }

  private boolean listens(String name, int second) {
    return presences.listens(name, START.plusSeconds(second));
  }

  @Test
  void aParticipantListensThirtySecondsFromAHeartbeatAndUntilItLeaves() throws Exception {
    assertThat(beats("ann", "a", 0)).containsExactly("ann");
    assertThat(beats("ann", "a", 10)).as("is announced once").isEmpty();
    assertThat(beats("dewey", "d", 10)).as("has no mail").isEmpty();
    assertThat(listens("ann", 40)).isTrue();
    assertThat(listens("ann", 41)).isFalse();
    announces("join", "bob", ",\"instance\":\"b\"", 41);
    announces("leave", "bob", ",\"instance\":\"b\"", 42);
    assertThat(listens("bob", 42)).isFalse();
  }

  @Test
  void whomARelayAnnouncesDoesNotListenByItself() throws Exception {
    String viaGrace = ",\"via\":\"grace\",\"instance\":\"g\"";
    beats("ann", "a", 0);
    assertThat(announces("join", "ann", viaGrace, 0)).isEmpty();
    assertThat(listens("ann", 5)).isFalse();
    announces("leave", "ann", viaGrace, 5);
    assertThat(listens("ann", 5)).isTrue();
    announces("join", "ann", viaGrace, 6);
    announces("leave", "grace", ",\"instance\":\"g\"", 7);
    assertThat(listens("ann", 7)).as("its relay has ended in order").isTrue();
  }

  @Test
  void whoIsThereByARelayIsSeenWithItsHeartbeats() throws Exception {
    String viaGrace = ",\"via\":\"grace\",\"instance\":\"g\"";
    announces("join", "ann", viaGrace, 0);
    beats("grace", "g", 10);
    assertThat(presences.lastSeen("ann")).hasValue(START.plusSeconds(10));
    announces("leave", "ann", viaGrace, 15);
    beats("grace", "g", 20);
    assertThat(presences.lastSeen("ann")).hasValue(START.plusSeconds(15));
    assertThat(presences.lastSeen("grace")).as("has no mail").isEmpty();
  }
}
