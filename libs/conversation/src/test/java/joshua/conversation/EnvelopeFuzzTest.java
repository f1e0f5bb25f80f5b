package joshua.conversation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

/** Random damage to envelopes; to replay a failure, put the printed seed in place of the new. */
class EnvelopeFuzzTest {
  private static final int ROUNDS = 20_000;
  private static final String[] FRAGMENTS = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u",
    "\\ud800",
    "null",
    "1e999999999",
    "-",
    "0",
    "\0",
    "\ufeff",
    "\u007f",
    "ü",
    "\ud83d\ude00",
    "\"channel\":\"mad.topic.x\"",
    "\"payload\":{}"
  };

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void damagedEnvelopesAreReadOrMalformedAndNothingElse() {
    System.out.println("EnvelopeFuzzTest seed " + seed);
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] body = damaged(envelope());
      try {
        Envelope envelope = EnvelopeCodec.decode("mad.topic.x", body);
        assertThat(EnvelopeCodec.decode("mad.topic.x", EnvelopeCodec.encode(envelope)))
            .isEqualTo(envelope);
        read++;
      } catch (EnvelopeCodec.MalformedEnvelopeException e) {
        assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(300);
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "seed %d, round %d: %s".formatted(seed, round, new String(body, UTF_8)), e);
      }
    }
    // The damage must leave some alive, or this proves nothing about them.
    assertThat(read).isBetween(ROUNDS / 100, ROUNDS * 99 / 100);
  }

  private byte[] envelope() {
    return RawEnvelope.on("mad.topic.x")
        .payload("{\"text\":\"häl\\u006co\",\"list\":[1,2.5,true,null,{}],\"deep\":{\"a\":{}}}")
        .with("unknown", "\"kept\"")
        .json()
        .getBytes(UTF_8);
  }

  private byte[] damaged(byte[] body) {
    byte[] damaged = body;
    for (int times = random.nextInt(4); times > 0; times--) {
      int at = random.nextInt(damaged.length + 1);
      damaged =
          switch (random.nextInt(5)) {
            case 0 -> Arrays.copyOf(damaged, at);
            case 1 -> spliced(damaged, at, FRAGMENTS[random.nextInt(FRAGMENTS.length)]);
            case 2 -> overwritten(damaged, at);
            case 3 -> without(damaged, at, random.nextInt(20));
            default -> spliced(damaged, at, " ");
          };
      if (damaged.length == 0) {
        return damaged;
      }
    }
    return damaged;
  }

  private byte[] overwritten(byte[] body, int at) {
    byte[] copy = body.clone();
    copy[Math.min(at, copy.length - 1)] = (byte) random.nextInt(256);
    return copy;
  }

  private static byte[] spliced(byte[] body, int at, String fragment) {
    byte[] middle = fragment.getBytes(UTF_8);
    byte[] longer = new byte[body.length + middle.length];
    System.arraycopy(body, 0, longer, 0, at);
    System.arraycopy(middle, 0, longer, at, middle.length);
    System.arraycopy(body, at, longer, at + middle.length, body.length - at);
    return longer;
  }

  private static byte[] without(byte[] body, int at, int length) {
    int end = Math.min(body.length, at + length);
    byte[] shorter = new byte[body.length - (end - at)];
    System.arraycopy(body, 0, shorter, 0, at);
    System.arraycopy(body, end, shorter, at, body.length - end);
    return shorter;
  }
}
