package joshua.conversation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private final DeadLetters letters = new DeadLetters(() -> NOW);

  @Test
  @TriesLimit("bus.dead-letters")
  void keepsTheLastThousandOldestFirst() {
    for (int i = 0; i <= DeadLetters.LIMIT; i++) {
      letters.add("mad.topic.x", ("" + i).getBytes(UTF_8), "no envelope");
    }
    assertThat(letters.list()).hasSize(DeadLetters.LIMIT);
    assertThat(letters.list().getFirst().start()).isEqualTo("1");
    assertThat(letters.list().getLast())
        .isEqualTo(new DeadLetters.DeadLetter("mad.topic.x", "1000", "no envelope", NOW));
  }

  @Test
  void keepsTheFirstKibibyteAndAsMuchOfTheNameAsAnybodyReads() {
    letters.add("mad." + "c".repeat(1_000_000), new byte[1_000_000], "too much");
    assertThat(letters.list().getFirst().start()).hasSize(1_024);
    assertThat(letters.list().getFirst().channel()).hasSize(256);
  }

  @Test
  void readsUtf8AsFarAsItIsThat() {
    String channel = new String("mad.tö".getBytes(UTF_8), ISO_8859_1);
    letters.add(channel, new byte[] {'a', (byte) 0xff}, "not UTF-8");
    assertThat(letters.list().getFirst().channel()).isEqualTo("mad.tö");
    assertThat(letters.list().getFirst().start()).isEqualTo("a\ufffd");
  }
}
