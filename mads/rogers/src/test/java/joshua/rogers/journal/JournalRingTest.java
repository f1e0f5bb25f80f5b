package joshua.rogers.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class JournalRingTest {
  private static final Logger log = LoggerFactory.getLogger(JournalRingTest.class);

  private static void offer(JournalRing ring, long at, String text) {
    ring.offer(at, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String text(JournalRing.Copy copy) {
    return copy.atMillis() + " " + new String(copy.envelope(), StandardCharsets.UTF_8);
  }

  private static List<String> all(JournalRing ring) {
    List<String> all = new ArrayList<>();
    for (JournalRing.Copy copy = ring.poll(); copy != null; copy = ring.poll()) {
      all.add(text(copy));
    }
    return all;
  }

  @Test
  void givesOutInOrderWhatWentIn() {
    JournalRing ring = new JournalRing(128);
    for (int round = 0; round < 20; round++) {
      offer(ring, round, "one" + round);
      offer(ring, round + 1, "");
      offer(ring, round + 2, "three, longer than the others");
      assertThat(all(ring))
          .containsExactly(
              round + " one" + round,
              round + 1 + " ",
              round + 2 + " three, longer than the others");
    }
    assertThat(ring.leftOut()).isEmpty();
  }

  @Test
  void whatDoesntFitIsLeftOutAndCounted() {
    JournalRing ring = new JournalRing(64);
    offer(ring, 1, "a".repeat(52));
    assertThat(ring.leftOut()).isEmpty();
    offer(ring, 2, "b");
    offer(ring, 3, "c");
    assertThat(ring.leftOut()).contains(new JournalRing.LeftOut(2, 3, 2));
    assertThat(ring.leftOut()).isEmpty();
    assertThat(all(ring)).containsExactly("1 " + "a".repeat(52));
    offer(ring, 4, "d".repeat(53));
    offer(ring, 5, "e");
    assertThat(ring.leftOut()).contains(new JournalRing.LeftOut(4, 4, 1));
    assertThat(all(ring)).containsExactly("5 e");
  }

  @Test
  void takesAWindowOfABuffer() {
    JournalRing ring = new JournalRing(64);
    ByteBuffer window = ByteBuffer.wrap("..text..".getBytes(StandardCharsets.UTF_8));
    ring.offer(7, window.position(2).limit(6));
    assertThat(all(ring)).containsExactly("7 text");
  }

  @Test
  void nothingIsLostOrTornBetweenTwoThreads() throws Exception {
    long seed = System.nanoTime();
    log.info("seed {}", seed);
    int messages = 200_000;
    JournalRing ring = new JournalRing(4_096);
    Thread tap =
        Thread.ofPlatform()
            .start(() -> {
              Random random = new Random(seed);
              for (int i = 0; i < messages; i++) {
                offer(ring, i, i + ":" + "x".repeat(random.nextInt(300)));
              }
            });
    long taken = 0;
    long left = 0;
    long last = -1;
    while (tap.isAlive() || taken + left < messages) {
      JournalRing.Copy copy = ring.poll();
      if (copy != null) {
        taken++;
        assertThat(copy.atMillis()).isGreaterThan(last);
        last = copy.atMillis();
        String text = new String(copy.envelope(), StandardCharsets.UTF_8);
        assertThat(text).matches(last + ":x*");
      }
      left += ring.leftOut().map(JournalRing.LeftOut::messages).orElse(0L);
    }
    assertThat(taken + left).isEqualTo(messages);
    assertThat(taken).isPositive();
  }
}
