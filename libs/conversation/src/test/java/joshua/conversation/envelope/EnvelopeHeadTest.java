package joshua.conversation.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import joshua.testing.RawEnvelope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeHeadTest {
  private static @Nullable String senderOf(String message) {
    return EnvelopeHead.senderOf(message.getBytes(UTF_8));
  }

  private static final String MESSAGE = RawEnvelope.on("mad.topic.x").from("bob-7.a:b_c").json();

  @Test
  void findsTheSenderWhereverItIs() {
    assertThat(senderOf(MESSAGE)).isEqualTo("bob-7.a:b_c");
    assertThat(senderOf(MESSAGE.replace(":\"", ": \"").replace(",", ", ")))
        .isEqualTo("bob-7.a:b_c");
    assertThat(senderOf("{\"more\":{\"sender_id\":\"eve\"},\"sender_id\":\"bob\"}"))
        .isEqualTo("bob");
    assertThat(senderOf(MESSAGE.replace("bob-7.a:b_c", "b\\u006fb"))).isEqualTo("bob");
    assertThat(senderOf(RawEnvelope.on("mad.topic.x").from("x".repeat(128)).json()))
        .isEqualTo("x".repeat(128));
  }

  /** What isn't read isn't needed: only the beginning counts. */
  @Test
  void readsNoFartherThanTheSender() {
    int end = MESSAGE.indexOf("bob-7.a:b_c\"") + "bob-7.a:b_c\"".length();
    assertThat(senderOf(MESSAGE.substring(0, end))).isEqualTo("bob-7.a:b_c");
    for (int length = 0; length < end; length++) {
      assertThat(senderOf(MESSAGE.substring(0, length))).as("of %d", length).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-bob", "bob jones", "bo\u00f6", "\\\"", "x\u0000", "bob\\"})
  void whatIsNoNameIsNoSender(String name) {
    assertThat(senderOf(MESSAGE.replace("bob-7.a:b_c", name))).isNull();
    assertThat(senderOf(MESSAGE.replace("bob-7.a:b_c", "x".repeat(129)))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"garbage", "[]", "{}", "{\"sender_id\":7}", "{\"sender_id\":null}", "\"bob\""})
  void whatIsNoEnvelopeHasNone(String message) {
    assertThat(senderOf(message)).isNull();
  }
}
