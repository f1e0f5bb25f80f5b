package joshua.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares what Redis delivered with what a build would report as sent. */
class ChannelListenerTest {
  private static final String CHANNEL = "mad.topic.bench";
  private static final int MESSAGES = 1_000;

  private static RealRedis redis;

  private final DeliveryCheck check = new DeliveryCheck();

  @BeforeAll
  static void start() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  /** Records every message as accepted, and publishes it {@code times} times. */
  private void publish(int times, int number) throws Exception {
    try (ChannelListener listener =
            new ChannelListener(
                redis::raw, CHANNEL, text -> check.receive(ChannelListener.messageId(text)));
        RawRedis publisher = redis.raw()) {
      for (int i = 0; i < MESSAGES; i++) {
        RawEnvelope envelope = RawEnvelope.on(CHANNEL).payload("{\"number\":" + i + "}");
        check.accept(envelope.text("message_id"));
        for (int time = 0; time < (i == number ? times : 1); time++) {
          publisher.publish(CHANNEL, envelope.json());
        }
      }
      listener.awaitEverything();
    }
  }

  @Test
  void everyMessageThatWasPublishedOnceIsHeardOnce() throws Exception {
    publish(1, 0);
    assertThatCode(check::verify).doesNotThrowAnyException();
  }

  @Test
  void aMessageThatWasAcceptedAndNeverPublishedIsMissed() throws Exception {
    publish(0, MESSAGES - 1);
    assertThatThrownBy(check::verify).hasMessageContaining("of 1000 accepted, 1 never came");
  }

  @Test
  void aMessageThatWasPublishedTwiceIsNoticed() throws Exception {
    publish(2, MESSAGES - 1);
    assertThatThrownBy(check::verify).hasMessageContaining("1 came more than once");
  }

  @Test
  void anEnvelopeWithoutAnIdCountsAsAStranger() {
    assertThat(ChannelListener.messageId("{}")).isEqualTo("an envelope without a message_id");
    assertThat(ChannelListener.messageId("{\"message_id\":\"short\"}"))
        .isEqualTo("an envelope without a message_id");
  }
}
