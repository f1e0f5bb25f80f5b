package joshua.conversation.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import joshua.conversation.envelope.EnvelopeCodec.MalformedEnvelopeException;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeCodecTest {
  private static final String CHANNEL = "mad.topic.x";
  private static final RawEnvelope VALID = RawEnvelope.on(CHANNEL);

  private static Envelope decode(String json) throws MalformedEnvelopeException {
    return EnvelopeCodec.decode(CHANNEL, json.getBytes(UTF_8));
  }

  private static void assertMalformed(String json, String reason) {
    assertThatThrownBy(() -> decode(json))
        .isInstanceOf(MalformedEnvelopeException.class)
        .hasMessage(reason);
  }

  @Test
  void everyMemberIsRead() throws Exception {
    RawEnvelope written =
        VALID
            .from("a.b:c_d-1")
            .withText("recipient_id", "Bob")
            .withText("timestamp", "2026-02-28T01:02:03.004Z")
            .payload("{\"n\":[1,{\"ü\":null}]}");
    Envelope envelope = decode(written.json());
    assertThat(envelope.messageId()).hasToString(written.text("message_id"));
    assertThat(envelope.conversationId()).hasToString(written.text("conversation_id"));
    assertThat(envelope.correlationId()).hasToString(written.text("correlation_id"));
    assertThat(envelope.timestamp()).isEqualTo(Instant.parse("2026-02-28T01:02:03.004Z"));
    assertThat(envelope.senderId()).isEqualTo("a.b:c_d-1");
    assertThat(envelope.recipientId()).contains("Bob");
    assertThat(envelope.channel()).isEqualTo(Channel.topic("x"));
    assertThat(envelope.payload()).hasToString("{\"n\":[1,{\"ü\":null}]}");
    assertThat(envelope.more()).isEmpty();
  }

  @Test
  void whatIsWrittenReadsTheSame() throws Exception {
    Envelope envelope =
        new Envelope(
            UUID.randomUUID(),
            UUID.randomUUID(),
            UUID.randomUUID(),
            Instant.parse("2026-02-28T01:02:03.004567Z"),
            "me",
            Optional.empty(),
            Channel.topic("x"),
            Json.object().put("text", "ü \u2028 😀 \" \\"),
            Map.of("trace", Json.object().put("hop", 1)));
    byte[] body = EnvelopeCodec.encode(envelope);
    assertThat(EnvelopeCodec.decode(CHANNEL, body)).isEqualTo(envelope);
    assertThat(new String(body, UTF_8))
        .contains("\"timestamp\":\"2026-02-28T01:02:03.004Z\"", "\"recipient_id\":null", "ü", "😀");
  }

  @Test
  void membersThatTheContractDoesNotListAreKept() throws Exception {
    String json = VALID.with("traceparent", "\"00-ab\"").with("x", "{\"y\":[1.50]}").json();
    Envelope envelope = decode(json);
    assertThat(envelope.more()).containsOnlyKeys("traceparent", "x");
    assertThat(Json.parse(EnvelopeCodec.encode(envelope))).isEqualTo(Json.parse(json));
  }

  @Test
  void allThatIsWrongIsNamedAtOnce() {
    assertMalformed(
        "{\"channel\":\"mad.topic.y\",\"sender_id\":7,\"payload\":\"hi\",\"timestamp\":\"now\"}",
        "the envelope lacks message_id, conversation_id, correlation_id, recipient_id; every member"
            + " is required; timestamp must be an RFC 3339 date-time, such as"
            + " 2026-01-31T23:59:59.000Z; sender_id must be a string; channel must be the channel"
            + " it was published on; payload must be an object, for example {\"text\":\"hi\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"message_id", "conversation_id", "correlation_id", "timestamp", "sender_id"})
  void eachOfTheseIsAString(String member) {
    for (String json : new String[] {"null", "7", "true", "{}", "[]"}) {
      assertMalformed(VALID.with(member, json).json(), member + " must be a string");
    }
    assertMalformed(
        VALID.without(member).json(),
        "the envelope lacks " + member + "; every member is required");
  }

  @ParameterizedTest
  @ValueSource(strings = {"message_id", "conversation_id", "correlation_id"})
  void anIdIsAUuidInFull(String member) {
    assertMalformed(
        VALID.withText(member, "1-1-1-1-1").json(), member + " must be a UUID of 36 characters");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-31T23:59:59.123Z, 2026-01-31T23:59:59.123Z",
    "2026-01-31T23:59:59Z, 2026-01-31T23:59:59Z",
    "2026-01-31T23:59:59.5Z, 2026-01-31T23:59:59.5Z",
    // Python's isoformat() with a zone and without, Go's and C#'s nanoseconds, and offsets.
    "2026-01-31T23:59:59.123456+00:00, 2026-01-31T23:59:59.123Z",
    "2026-01-31T23:59:59.123456, 2026-01-31T23:59:59.123Z",
    "2026-01-31T23:59:59.123456789123Z, 2026-01-31T23:59:59.123Z",
    "2026-02-01T01:29:59+01:30, 2026-01-31T23:59:59Z",
    "2026-01-31T18:59:59-0500, 2026-01-31T23:59:59Z",
    "2026-01-31t23:59:59z, 2026-01-31T23:59:59Z",
    "2026-01-31 23:59:59Z, 2026-01-31T23:59:59Z",
    "2026-12-31T23:59:60Z, 2026-12-31T23:59:59Z"
  })
  void timestampsComeInAnyFormOfRfc3339(String text, Instant instant) throws Exception {
    assertThat(decode(VALID.withText("timestamp", text).json()).timestamp()).isEqualTo(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "1769903999", "2026-01-31",
        "2026-01-31T23:59Z", "2026-13-31T23:59:59.000Z", "2026-02-30T23:59:59.000Z",
        "2026-01-31T25:59:59Z", "2026-01-31T23:59:61Z", "2026-01-31T23:59:59+25:00",
        "٢٠٢٦-01-31T23:59:59.000Z", "2026-01-31T23:59:59.000Z "
      })
  void otherTextsAreNoTimestamps(String text) {
    assertMalformed(
        VALID.withText("timestamp", text).json(),
        "timestamp must be an RFC 3339 date-time, such as 2026-01-31T23:59:59.000Z");
  }

  @Test
  void namesHaveOneRule() throws Exception {
    String rule =
        "must be 1-128 characters of A-Z a-z 0-9 . _ : - and start with a letter or digit";
    assertMalformed(VALID.from("a b").json(), "sender_id " + rule);
    assertMalformed(
        VALID.withText("recipient_id", "").json(), "recipient_id " + rule + ", or be null");
    assertMalformed(VALID.with("recipient_id", "7").json(), "recipient_id must be a string");
  }

  @Test
  void theChannelIsTheOneItCameOn() {
    assertMalformed(
        VALID.withText("channel", "mad.topic.X").json(),
        "channel must be the channel it was published on");
    for (String name : new String[] {"mad.", "mad.a b", "mad." + "a".repeat(161)}) {
      assertThatThrownBy(
              () -> EnvelopeCodec.decode(name, RawEnvelope.on(name).json().getBytes(UTF_8)))
          .hasMessage("the channel's name " + Channel.RULE);
    }
  }

  @Test
  void theMessageIsOneJsonObject() throws Exception {
    assertMalformed("", "the message is empty");
    assertMalformed("hello", "the message is not valid JSON at line 1, column 1");
    assertThatThrownBy(() -> decode("[]"))
        .hasMessageStartingWith("the message must be a JSON object with the members message_id,");
    assertThat(decode(VALID.payload("{}").json()).payload()).isEmpty();
  }

  /** Whatever is damaged is read or malformed, and nothing else; the seed replays a failure. */
  @Test
  void damagedEnvelopesAreReadOrMalformed() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] whole =
        VALID
            .payload("{\"text\":\"häl\\u006co\",\"list\":[1,2.5,true,null,{}]}")
            .json()
            .getBytes(UTF_8);
    for (int round = 0; round < 20_000; round++) {
      byte[] body = whole.clone();
      for (int times = random.nextInt(3); times >= 0; times--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      body = Arrays.copyOf(body, body.length - (random.nextInt(10) == 0 ? random.nextInt(99) : 0));
      try {
        Envelope envelope = EnvelopeCodec.decode(CHANNEL, body);
        assertThat(EnvelopeCodec.decode(CHANNEL, EnvelopeCodec.encode(envelope)))
            .as("seed %d", seed)
            .isEqualTo(envelope);
      } catch (MalformedEnvelopeException e) {
        assertThat(e.getMessage()).isNotBlank();
      } catch (RuntimeException e) {
        throw new AssertionError("seed %d: %s".formatted(seed, new String(body, UTF_8)), e);
      }
    }
  }
}
