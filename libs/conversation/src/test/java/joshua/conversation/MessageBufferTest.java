package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import joshua.conversation.MessageBuffer.ReceivedMessage;
import org.junit.jupiter.api.Test;

class MessageBufferTest {
  private final MessageBuffer buffer = new MessageBuffer(10);

  private boolean add(String channel, int length, int limit) {
    return buffer.add(channel, new byte[length], Instant.EPOCH, limit);
  }

  @Test
  void aMessageIsTakenWholeOrNotAtAll() {
    assertThat(add("mad.topic.a", 60, 100)).isTrue();
    assertThat(add("mad.topic.b", 41, 100)).isFalse();
    assertThat(add("mad.topic.c", 40, 100)).isTrue();
    assertThat(add("mad.topic.d", 0, 100)).isFalse();
    assertThat(add("mad.system.e", 100, 200)).as("with a larger limit").isTrue();
    assertThat(add("mad.system.f", 1, 200)).isFalse();
    assertThat(buffer.drain())
        .extracting(ReceivedMessage::channel)
        .containsExactly("mad.topic.a", "mad.topic.c", "mad.system.e");
  }

  @Test
  void aSmallMessageIsChargedTheMinimum() {
    assertThat(add("mad.topic.a", 0, 20)).isTrue();
    assertThat(add("mad.topic.b", 9, 20)).isTrue();
    assertThat(add("mad.topic.c", 0, 20)).isFalse();
  }

  @Test
  void aDrainMakesRoom() {
    assertThat(add("mad.topic.a", 100, 100)).isTrue();
    assertThat(buffer.drain()).hasSize(1);
    assertThat(buffer.drain()).isEmpty();
    assertThat(add("mad.topic.a", 100, 100)).isTrue();
  }
}
