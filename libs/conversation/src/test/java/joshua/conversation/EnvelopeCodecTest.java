package joshua.conversation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("changes the JVM's time zone")
class EnvelopeCodecTest {
  private static final String CHANNEL = "mad.topic.x";
  private static final RawEnvelope VALID = RawEnvelope.on(CHANNEL);

  private static Envelope decode(String json) throws EnvelopeCodec.MalformedEnvelopeException {
    return EnvelopeCodec.decode(CHANNEL, json.getBytes(UTF_8));
  }

  private static void assertMalformed(byte[] body, String reason) {
    assertThatThrownBy(() -> EnvelopeCodec.decode(CHANNEL, body))
        .isInstanceOf(EnvelopeCodec.MalformedEnvelopeException.class)
        .hasMessage(reason);
  }

  private static void assertMalformed(String json, String reason) {
    assertMalformed(json.getBytes(UTF_8), reason);
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
    assertThat(Json.write(envelope.payload())).isEqualTo("{\"n\":[1,{\"ü\":null}]}");
    assertThat(envelope.unknown()).isEmpty();
  }

  @Test
  void whatIsWrittenReadsTheSame() throws Exception {
    Envelope envelope =
        new Envelope(
            BusIdentifiers.uuid7(Instant::now),
            UUID.randomUUID(),
            UUID.randomUUID(),
            Instant.parse("2026-02-28T01:02:03.004567Z"),
            "me",
            Optional.empty(),
            Channel.topic("x"),
            Json.object().put("text", "ü \u2028 \ud83d\ude00 \" \\"),
            Map.of("trace", Json.object().put("hop", 1)));
    assertThat(EnvelopeCodec.decode(CHANNEL, EnvelopeCodec.encode(envelope))).isEqualTo(envelope);
    assertThat(new String(EnvelopeCodec.encode(envelope), UTF_8))
        .contains("\"timestamp\":\"2026-02-28T01:02:03.004Z\"", "\"recipient_id\":null", "ü");
  }

  @Test
  void membersThatNobodyKnowsAreKept() throws Exception {
    String json = VALID.with("traceparent", "\"00-ab\"").with("x", "{\"y\":[1.50]}").json();
    Envelope envelope = decode(json);
    assertThat(envelope.unknown()).containsOnlyKeys("traceparent", "x");
    assertThat(Json.parse(EnvelopeCodec.encode(envelope))).isEqualTo(Json.parse(json));
  }

  @Test
  void aMemberOfTheContractIsNoUnknownOne() {
    assertThatThrownBy(() ->
            new Envelope(
                UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID(),
                Instant.EPOCH,
                "me",
                Optional.empty(),
                Channel.BROADCAST,
                Json.object(),
                Map.of("sender_id", Json.object())))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "message_id",
        "conversation_id",
        "correlation_id",
        "timestamp",
        "sender_id",
        "recipient_id",
        "channel",
        "payload"
      })
  void eachMemberIsRequired(String member) {
    assertMalformed(
        VALID.without(member).json(),
        "the envelope lacks " + member + "; every member is required");
  }

  @Test
  void allMissingMembersAreNamedAtOnce() {
    assertMalformed(
        "{\"channel\":\"mad.topic.x\",\"text\":\"hello\"}",
        "the envelope lacks message_id, conversation_id, correlation_id, timestamp, sender_id,"
            + " recipient_id, payload; every member is required");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"message_id", "conversation_id", "correlation_id", "timestamp", "sender_id"})
  void eachOfTheseMustBeAString(String member) {
    for (String json : new String[] {"null", "7", "true", "{}", "[]"}) {
      assertMalformed(VALID.with(member, json).json(), member + " must be a string");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"message_id", "conversation_id", "correlation_id"})
  void eachIdMustBeAUuidInFull(String member) {
    for (String text :
        new String[] {
          "",
          "1-1-1-1-1",
          "0198c0de0000700080000000000000ab",
          "{0198c0de-0000-7000-8000-0000000000ab}",
          "0198c0de-0000-7000-8000-0000000000ag",
          "0198c0de-0000-7000-8000-0000000000ab\\n"
        }) {
      String json = VALID.with(member, '"' + text + '"').json();
      assertMalformed(json, member + " must be a UUID");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-01-31T23:59:59Z",
        "2026-01-31T23:59:59.0Z",
        "2026-01-31T23:59:59.000000Z",
        "2026-01-31T23:59:59.000+00:00",
        "2026-01-31T23:59:59.000",
        "2026-01-31 23:59:59.000Z",
        "2026-13-31T23:59:59.000Z",
        "2026-02-30T23:59:59.000Z",
        "2026-01-31T25:59:59.000Z",
        "٢٠٢٦-01-31T23:59:59.000Z",
        "2026-01-31T23:59:59.000Z "
      })
  void theTimestampMustBeUtcWithMilliseconds(String text) {
    assertMalformed(
        VALID.withText("timestamp", text).json(),
        "timestamp must be ISO-8601 in UTC with milliseconds, such as 2026-01-31T23:59:59.000Z");
  }

  @Test
  void identifiersHaveOneRule() throws Exception {
    String rule =
        "must be 1-128 characters of A-Z a-z 0-9 . _ : - and start with a letter or digit";
    for (String bad :
        new String[] {"", ".a", "-a", "_a", "a b", "ä", "a/b", "a\\n", "a*", "a".repeat(129)}) {
      String json = '"' + bad + '"';
      assertMalformed(VALID.with("sender_id", json).json(), "sender_id " + rule);
      assertMalformed(
          VALID.with("recipient_id", json).json(), "recipient_id " + rule + ", or be null");
    }
    for (String good : new String[] {"a", "7", "A.b_c:d-e", "a".repeat(128)}) {
      assertThat(decode(VALID.from(good).withText("recipient_id", good).json()).recipientId())
          .contains(good);
    }
  }

  @Test
  void theChannelMustBeTheOneItCameOn() {
    for (String other : new String[] {"mad.topic.y", "mad.topic.X", "mad.*", ""}) {
      assertMalformed(
          VALID.withText("channel", other).json(),
          "channel must be the channel it was published on");
    }
    for (String real :
        new String[] {"mad.", "mad", "other.x", "mad.a b", "mad." + "a".repeat(161)}) {
      assertThatThrownBy(
              () -> EnvelopeCodec.decode(real, RawEnvelope.on(real).json().getBytes(UTF_8)))
          .isInstanceOf(EnvelopeCodec.MalformedEnvelopeException.class)
          .hasMessage("the channel's name " + Channel.RULE);
    }
  }

  @Test
  void thePayloadMustBeAnObject() throws Exception {
    for (String json : new String[] {"null", "[]", "\"x\"", "1"}) {
      assertMalformed(VALID.payload(json).json(), "payload must be an object");
    }
    assertThat(decode(VALID.payload("{}").json()).payload()).isEmpty();
  }

  @Test
  void theMessageMustBeOneJsonObject() {
    assertMalformed("", "the message is empty; it must be one JSON value");
    assertMalformed("  ", "the message is empty; it must be one JSON value");
    for (String json : new String[] {"null", "[]", "7", "\"{}\"", "true"}) {
      assertMalformed(json, "the message must be a JSON object");
    }
    for (String json :
        new String[] {"hello", "{", VALID + " x", VALID + "" + VALID, VALID + "}", "{'a':1}"}) {
      assertThatThrownBy(() -> decode(json))
          .isInstanceOf(EnvelopeCodec.MalformedEnvelopeException.class)
          .hasMessageStartingWith("the message is not valid JSON at line 1, column ");
    }
  }

  @Test
  void aMemberTwiceIsMalformed() {
    String json = VALID.json().replaceFirst("\\{", "{\"sender_id\":\"someone-else\",");
    assertThatThrownBy(() -> decode(json))
        .isInstanceOf(EnvelopeCodec.MalformedEnvelopeException.class)
        .hasMessageContaining("not valid JSON");
    assertThatThrownBy(() -> decode(VALID.payload("{\"a\":1,\"a\":1}").json()))
        .isInstanceOf(EnvelopeCodec.MalformedEnvelopeException.class);
  }

  @Test
  void onlyUtf8IsText() throws Exception {
    String rule = "the message is not valid JSON in UTF-8";
    String json = VALID.payload("{\"t\":\"ü\"}").json();
    assertThat(decode(json).payload().path("t").asText()).isEqualTo("ü");
    assertMalformed(json.getBytes(ISO_8859_1), rule);
    assertMalformed(VALID.json().getBytes(UTF_16LE), rule);
    assertMalformed("\ufeff" + VALID.json(), rule);
    assertMalformed(VALID.json() + "\0", rule);
    // A surrogate in UTF-8, and a slash in too many bytes.
    assertMalformed(inText(0xed, 0xa0, 0x80), rule);
    assertMalformed(inText(0xc0, 0xaf), rule);
    assertMalformed(inText(0xf8, 0x88, 0x80, 0x80, 0x80), rule);
    assertMalformed(inText(0xe2, 0x82), rule);
  }

  private static byte[] inText(int... bytes) {
    StringBuilder text = new StringBuilder();
    for (int each : bytes) {
      text.append((char) each);
    }
    return VALID.payload("{\"t\":\"" + text + "\"}").json().getBytes(ISO_8859_1);
  }

  @Test
  void halfASurrogatePairIsMalformed() throws Exception {
    String rule = "the message has half of a surrogate pair in its text";
    assertMalformed(VALID.payload("{\"t\":\"\\ud83d\"}").json(), rule);
    assertMalformed(VALID.payload("{\"t\":\"\\uDe00\\uD83d\"}").json(), rule);
    assertMalformed(VALID.with("unknown", "[[\"\\uDFFF\"]]").json(), rule);
    assertThat(decode(VALID.payload("{\"t\":\"\\ud83d\\ude00\"}").json()).payload().path("t"))
        .hasToString("\"\ud83d\ude00\"");
    assertThat(decode(VALID.payload("{\"t\":\"\\\\ud83d\"}").json()).payload().path("t").asText())
        .isEqualTo("\\ud83d");
  }

  @Test
  void sixtyFourLevelsAreReadAndOneMoreIsNot() throws Exception {
    // The envelope and its payload are two of them.
    String deepest = "[".repeat(62) + "]".repeat(62);
    String tooDeep = "[" + deepest + "]";
    decode(VALID.payload("{\"a\":" + deepest + "}").json());
    assertThatThrownBy(() -> decode(VALID.payload("{\"a\":" + tooDeep + "}").json()))
        .isInstanceOf(EnvelopeCodec.MalformedEnvelopeException.class);
    assertThatThrownBy(() -> decode("[".repeat(100_000)))
        .isInstanceOf(EnvelopeCodec.MalformedEnvelopeException.class);
  }

  @Test
  void numbersAreKeptExactly() throws Exception {
    String numbers =
        "{\"a\":123456789012345678901234567890,\"b\":0.1000000000000000055511151231257827,"
            + "\"c\":-1e-30,\"d\":1E400}";
    Envelope envelope = decode(VALID.payload(numbers).json());
    Envelope again = EnvelopeCodec.decode(CHANNEL, EnvelopeCodec.encode(envelope));
    for (Envelope read : new Envelope[] {envelope, again}) {
      assertThat(read.payload().get("a").bigIntegerValue())
          .hasToString("123456789012345678901234567890");
      assertThat(read.payload().get("b").decimalValue())
          .isEqualByComparingTo("0.1000000000000000055511151231257827");
      assertThat(read.payload().get("c").decimalValue()).isEqualByComparingTo("-1e-30");
      assertThat(read.payload().get("d").decimalValue())
          .isEqualByComparingTo(new BigDecimal("1E400"));
    }
  }

  @Test
  void numbersBeyondAHundredCharactersOrAnyExponentAreMalformed() {
    for (String number :
        new String[] {"1".repeat(101), "1e99999999999", "-1E-99999999999", "01", "NaN", "+1"}) {
      assertThatThrownBy(() -> decode(VALID.payload("{\"n\":" + number + "}").json()))
          .as(number)
          .isInstanceOf(EnvelopeCodec.MalformedEnvelopeException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati"})
  void theHostsTimeZoneDoesNotMatter(String zone) throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      Instant instant = Instant.parse("2026-03-29T01:30:00.001Z");
      assertThat(EnvelopeCodec.timestamp(instant)).isEqualTo("2026-03-29T01:30:00.001Z");
      assertThat(decode(VALID.withText("timestamp", "2026-03-29T01:30:00.001Z").json()).timestamp())
          .isEqualTo(instant);
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void whatWouldTakeTooMuchMemoryIsMalformed() throws Exception {
    String most = "{\"a\":[" + "{},".repeat(185_000) + "0]}";
    assertThat(decode(VALID.payload(most).json()).payload().path("a")).hasSize(185_001);
    assertMalformed(
        VALID.payload("{\"a\":[" + "{},".repeat(195_000) + "0]}").json(),
        "the message would take more than 24 MiB of memory once parsed; send fewer or flatter"
            + " values, or a reference");
  }
}
