package joshua.conversation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import joshua.conversation.PresenceMessage.Event;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PresenceMessageTest {
  private static PresenceMessage message(Channel channel, String payload) {
    String json = RawEnvelope.on(channel.name()).from("bob").payload(payload).json();
    return new PresenceMessage(
        EnvelopeCodec.tryDecode(channel.name(), json.getBytes(UTF_8)).orElseThrow(), Instant.EPOCH);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          heartbeat | {"status":"HEALTHY"} | HEARTBEAT
          heartbeat | {"status":1} | OTHER
          heartbeat | {"event":"join"} | OTHER
          presence | {"event":"join"} | JOIN
          presence | {"event":"leave"} | LEAVE
          presence | {"event":"roster"} | ROSTER
          presence | {"event":"JOIN"} | OTHER
          presence | {"status":"HEALTHY"} | OTHER
          """)
  void anEventIsKnownByItsChannelAndName(String channel, String payload, Event event) {
    assertThat(message(new Channel("mad.system." + channel), payload).event()).isEqualTo(event);
  }

  @Test
  void malformedMembersCountAsAbsent() {
    PresenceMessage malformed =
        message(Channel.PRESENCE, "{\"instance\":7,\"via\":\"no name\",\"clients\":\"ann\"}");
    assertThat(malformed.instance()).isEmpty();
    assertThat(malformed.via()).isEmpty();
    assertThat(malformed.clients()).isEmpty();
    PresenceMessage roster =
        message(
            Channel.PRESENCE,
            "{\"instance\":\"i\\u001b1\",\"via\":\"grace\",\"clients\":[\"ann\",8,\"no name\"]}");
    assertThat(roster.name()).isEqualTo("bob");
    assertThat(roster.instance()).isEqualTo("i 1");
    assertThat(roster.via()).hasValue("grace");
    assertThat(roster.clients()).containsExactly("ann");
    assertThat(roster.text("reason")).isEmpty();
  }
}
