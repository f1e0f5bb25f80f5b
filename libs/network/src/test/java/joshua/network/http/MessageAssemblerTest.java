package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** A message that comes in parts. */
class MessageAssemblerTest {
  private static final long MOST = 64L << 20;
  private final SocketMemoryBudget socketMemoryBudget = new SocketMemoryBudget(MOST);

  @Test
  void partsMakeAMessageAndLeaveNothingBehind() {
    MessageAssembler messageAssembler = new MessageAssembler(100, socketMemoryBudget);
    assertThat(messageAssembler.add("he", false))
        .isEqualTo(new MessageAssembler.Received.Unfinished());
    assertThat(messageAssembler.held()).isEqualTo(4);
    assertThat(messageAssembler.add("llo", true))
        .isEqualTo(new MessageAssembler.Received.Whole("hello"));
    assertThat(messageAssembler.held()).isZero();
    assertThat(messageAssembler.add("again", true))
        .isEqualTo(new MessageAssembler.Received.Whole("again"));
  }

  @Test
  void theLimitIsOfBytesInUtf8AndOfAWholeMessage() {
    // One byte, two, and three; a pair of surrogates is four.
    assertThat(new MessageAssembler(6, socketMemoryBudget).add("aé€", true))
        .isInstanceOf(MessageAssembler.Received.Whole.class);
    assertThat(new MessageAssembler(5, socketMemoryBudget).add("aé€", true))
        .isEqualTo(new MessageAssembler.Received.TooLarge());
    assertThat(new MessageAssembler(4, socketMemoryBudget).add("😀", true))
        .isInstanceOf(MessageAssembler.Received.Whole.class);
    assertThat(new MessageAssembler(3, socketMemoryBudget).add("😀", true))
        .isEqualTo(new MessageAssembler.Received.TooLarge());

    MessageAssembler parts = new MessageAssembler(5, socketMemoryBudget);
    parts.add("abc", false);
    assertThat(parts.add("def", true)).isEqualTo(new MessageAssembler.Received.TooLarge());
    assertThat(parts.held()).isZero();
    assertThat(parts.add("abcde", true)).isEqualTo(new MessageAssembler.Received.Whole("abcde"));
  }

  @Test
  void afterItsEndNothingIsHeld() {
    MessageAssembler messageAssembler = new MessageAssembler(100, socketMemoryBudget);
    messageAssembler.add("abc", false);
    messageAssembler.close();
    messageAssembler.add("def", false);
    assertThat(messageAssembler.held()).isZero();
  }

  @Test
  @TriesLimit("http.socket-bytes")
  void manyIntakesShareOneBacklog() {
    String part = "x".repeat(1 << 20);
    long fit = MOST / (2L * part.length());
    for (long i = 0; i < fit; i++) {
      new MessageAssembler(Long.MAX_VALUE, socketMemoryBudget).add(part, false);
    }
    assertThat(socketMemoryBudget.isTooLong()).isFalse();
    MessageAssembler last = new MessageAssembler(Long.MAX_VALUE, socketMemoryBudget);
    last.add(part, false);
    assertThat(socketMemoryBudget.isTooLong()).isTrue();
    last.close();
    assertThat(socketMemoryBudget.isTooLong()).isFalse();
    assertThat(last.held()).isZero();
  }
}
