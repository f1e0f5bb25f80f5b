package joshua.conversation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To replay a failure, put the printed seed in place of the new one. */
class EnvelopeScanTest {
  private static final int ROUNDS = 60_000;
  private static final String CHANNEL = "mad.topic.x";

  /** Values that are right in some places, wrong in others, and wrong everywhere. */
  private static final List<String> VALUES =
      List.of(
          "{}",
          "[]",
          "null",
          "true",
          "tru",
          "0",
          "-0",
          "01",
          "1.",
          "-1.50",
          "1e5",
          "1E999999999",
          "9".repeat(50),
          "9".repeat(101),
          "\"\"",
          "\"ann\"",
          "\".ann\"",
          "\"ann smith\"",
          "\"an\\u006e\"",
          "\"\\ud83d\\ude00\"",
          "\"\\ud83d\"",
          "\"\\q\"",
          "\"h\u00e4llo \u4e16 \ud83d\ude00\"",
          "\"tab\there\"",
          "\"2026-02-29T00:00:00.000Z\"",
          "\"2024-02-29T00:00:00.000Z\"",
          "\"2026-04-31T00:00:00.000Z\"",
          "\"2026-01-31T24:00:00.000Z\"",
          "\"2026-12-31T23:59:60.000Z\"",
          "\"0000-13-01T00:00:00.000Z\"",
          "\"0000-01-01T00:00:00.000Z\"",
          "\"2026-01-31T23:59:59.000z\"",
          "\"00000000-0000-0000-0000-00000000000g\"",
          "\"FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF\"",
          "\"1-1-1-1-1\"",
          "\"" + CHANNEL + "\"",
          "\"mad.topic.y\"",
          "{\"a\":1,\"a\":2}",
          "{\"a\":1,\"\\u0061\":2}",
          "{\"a\":{\"a\":[1,{\"a\":2}]}}",
          "{\"a\" : [ 1 , 2 ] ,\n\"b\":\t{}}",
          "{\"a\":1,}",
          "[1,]",
          "{\"a\"}",
          "[".repeat(20) + "]".repeat(20),
          "[".repeat(70) + "]".repeat(70));

  private static final List<String> FRAGMENTS =
      List.of("{", "}", "[", "]", ",", ":", "\"", "\\", " ", "\u0000", "\u00fc", "1", "\"a\":1,");

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final EnvelopeScan scan = new EnvelopeScan();

  @Test
  void whatTheScanTakesForPlainTheCodecDecodesToTheSame() {
    System.out.println("EnvelopeScanTest seed " + seed);
    int plain = 0;
    int decoded = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] body = damaged(envelope());
      boolean isPlain = isPlain(CHANNEL, body);
      plain += isPlain ? 1 : 0;
      try {
        Envelope envelope = EnvelopeCodec.decode(CHANNEL, body);
        decoded++;
        if (isPlain) {
          assertSame(envelope);
        }
      } catch (EnvelopeCodec.MalformedEnvelopeException e) {
        assertThat(isPlain)
            .as("seed %d, round %d: %s%n%s", seed, round, e.getMessage(), new String(body, UTF_8))
            .isFalse();
      }
    }
    // Both must occur often, or this proves nothing; and the codec is for the few.
    assertThat(decoded).isBetween(ROUNDS / 5, ROUNDS * 9 / 10);
    assertThat(plain).isGreaterThan(decoded * 7 / 10);
  }

  private void assertSame(Envelope envelope) {
    assertThat(new String(scan.sender().copy(), UTF_8)).isEqualTo(envelope.senderId());
    assertThat(scan.correlationHigh()).isEqualTo(envelope.correlationId().getMostSignificantBits());
    assertThat(scan.correlationLow()).isEqualTo(envelope.correlationId().getLeastSignificantBits());
    assertThat(scan.conversationHigh())
        .isEqualTo(envelope.conversationId().getMostSignificantBits());
    assertThat(scan.conversationLow())
        .isEqualTo(envelope.conversationId().getLeastSignificantBits());
  }

  @Test
  void whatOurOwnCodecWritesIsPlain() throws Exception {
    byte[] body = RawEnvelope.on(CHANNEL).payload("{\"a\":[1,true,\"x\"]}").json().getBytes(UTF_8);
    byte[] written = EnvelopeCodec.encode(EnvelopeCodec.decode(CHANNEL, body));
    assertThat(isPlain(CHANNEL, written)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"text\":\"sp\u00e4t \u4e16\u754c \ud83d\ude00 \\\"quoted\\\" line\\n \\u00e9\"}",
        "{ \"spaced\" : [ 1 , -2.5 , null ] }",
        "{\"deep\":{\"er\":{\"still\":[[[]]]}}}"
      })
  void payloadsOfEveryDayArePlain(String payload) {
    assertThat(isPlain(CHANNEL, RawEnvelope.on(CHANNEL).payload(payload).json().getBytes(UTF_8)))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mad.", "mad.topic x", "mad.\u00fc", "med.topic.x", "mad"})
  void noEnvelopeIsPlainOnWhatIsNoChannel(String channel) {
    assertThat(isPlain(channel, RawEnvelope.on(channel).json().getBytes(ISO_8859_1))).isFalse();
  }

  private boolean isPlain(String channel, byte[] body) {
    ByteRange name = new ByteRange();
    name.set(channel.getBytes(ISO_8859_1));
    // Somewhere in a longer array, as it comes from the socket.
    byte[] around = new byte[body.length + 60];
    Arrays.fill(around, (byte) '}');
    System.arraycopy(body, 0, around, 30, body.length);
    ByteRange range = new ByteRange();
    range.set(around, 30, body.length);
    return scan.isPlain(name, range);
  }

  private String envelope() {
    RawEnvelope envelope = RawEnvelope.on(CHANNEL).payload("{\"n\":1,\"text\":\"eight or more\"}");
    if (random.nextInt(3) == 0) {
      envelope = envelope.with("more", VALUES.get(random.nextInt(VALUES.size())));
    }
    if (random.nextInt(3) == 0) {
      List<String> members = new ArrayList<>(envelope.members().keySet());
      envelope =
          envelope.with(
              members.get(random.nextInt(members.size())),
              VALUES.get(random.nextInt(VALUES.size())));
    }
    if (random.nextInt(4) == 0) {
      List<Map.Entry<String, String>> members = new ArrayList<>(envelope.members().entrySet());
      Collections.shuffle(members, random);
      Map<String, String> shuffled = new LinkedHashMap<>();
      members.forEach(member -> shuffled.put(member.getKey(), member.getValue()));
      envelope = new RawEnvelope(shuffled);
    }
    return envelope.json();
  }

  private byte[] damaged(String json) {
    StringBuilder text = new StringBuilder(json);
    for (int times = Math.max(0, random.nextInt(5) - 2); times > 0; times--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
        case 1 -> text.deleteCharAt(at);
        case 2 -> text.setCharAt(at, (char) random.nextInt(128));
        default -> text.insert(Math.max(0, text.lastIndexOf("}")), ' ');
      }
    }
    byte[] body = text.toString().getBytes(UTF_8);
    if (random.nextInt(10) == 0) {
      body[random.nextInt(body.length)] = (byte) random.nextInt(256);
    }
    return body;
  }
}
