package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.EnvelopeSchema;
import joshua.kernel.Json;
import joshua.network.JsonSchema;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the published schema and the code that reads envelopes agree on what an envelope is.
 */
final class EnvelopeSchemaTest {
  private static final RawEnvelope VALID = RawEnvelope.on("mad.topic.weather");

  private static boolean fits(RawEnvelope envelope) throws Json.MalformedJsonException {
    JsonSchema schema = new JsonSchema((ObjectNode) Json.parse(EnvelopeSchema.text()));
    return schema.problem(Json.parse(envelope.json())).isEmpty();
  }

  private static boolean isRead(RawEnvelope envelope) {
    try {
      EnvelopeCodec.decode(
          envelope.text("channel"), envelope.json().getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (EnvelopeCodec.MalformedEnvelopeException e) {
      return false;
    }
  }

  static Stream<RawEnvelope> valid() {
    return Stream.of(
        VALID,
        VALID.withText("recipient_id", "ann"),
        VALID.with("trace", "[1]"),
        VALID.payload("{\"a\":{\"b\":null}}"),
        VALID.from("a".repeat(128)),
        VALID.from("9:x_y-z.1"),
        VALID.withText("channel", "mad." + "a".repeat(160)),
        VALID.withText("message_id", VALID.text("message_id").toUpperCase(java.util.Locale.ROOT)),
        VALID.withText("timestamp", "2024-02-29T00:00:00.000Z"));
  }

  static Stream<RawEnvelope> broken() {
    Stream<RawEnvelope> incomplete =
        VALID.members().keySet().stream()
            .filter(member -> !member.equals("channel"))
            .map(VALID::without);
    Stream<RawEnvelope> wrong =
        Stream.of(
            VALID.from(""),
            VALID.from("a".repeat(129)),
            VALID.from("-ann"),
            VALID.from("ann smith"),
            VALID.with("sender_id", "null"),
            VALID.with("recipient_id", "7"),
            VALID.withText("recipient_id", ""),
            VALID.payload("[]"),
            VALID.payload("null"),
            VALID.withText("message_id", "1"),
            VALID.withText("correlation_id", VALID.text("correlation_id") + "0"),
            VALID.withText("timestamp", "2026-01-31T23:59:59Z"),
            VALID.withText("timestamp", "2026-01-31T23:59:59.000+00:00"),
            VALID.withText("timestamp", "2026-13-01T00:00:00.000Z"),
            VALID.withText("channel", "mad.a b"),
            VALID.withText("channel", "mad." + "a".repeat(161)),
            VALID.withText("channel", "other.topic"));
    return Stream.concat(incomplete, wrong);
  }

  @ParameterizedTest
  @MethodSource("valid")
  void bothTakeWhatIsValid(RawEnvelope envelope) throws Json.MalformedJsonException {
    assertThat(fits(envelope)).isTrue();
    assertThat(isRead(envelope)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("broken")
  void bothRefuseWhatIsNot(RawEnvelope envelope) throws Json.MalformedJsonException {
    assertThat(fits(envelope)).isFalse();
    assertThat(isRead(envelope)).isFalse();
  }
}
