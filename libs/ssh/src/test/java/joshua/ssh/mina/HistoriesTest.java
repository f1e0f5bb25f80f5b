package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the owners of keys have typed before. */
class HistoriesTest {
  private final Histories histories = new Histories();

  @Test
  void eachKeyHasItsOwn() {
    histories.add("a", "clients");
    histories.add("b", "tasks");
    histories.add("a", "top");
    assertThat(histories.of("a")).containsExactly("clients", "top");
    assertThat(histories.of("b")).containsExactly("tasks");
    assertThat(histories.of("c")).isEmpty();
  }

  @Test
  void whatIsTypedTwiceInARowIsKeptOnce() {
    histories.add("a", "top");
    histories.add("a", "top");
    histories.add("a", " ");
    assertThat(histories.of("a")).containsExactly("top");
  }

  @Test
  void theOldestLinesGo() {
    IntStream.rangeClosed(1, Histories.LINES + 1).forEach(i -> histories.add("a", "line " + i));
    assertThat(histories.of("a")).hasSize(Histories.LINES).startsWith("line 2");
  }

  @Test
  void longLinesAreNotKept() {
    histories.add("a", "x".repeat(Histories.LONGEST));
    histories.add("a", "y".repeat(Histories.LONGEST + 1));
    assertThat(histories.of("a")).containsExactly("x".repeat(Histories.LONGEST));
  }

  @Test
  void theKeyLeastRecentlyUsedIsForgotten() {
    IntStream.rangeClosed(1, Histories.KEYS).forEach(i -> histories.add("key " + i, "top"));
    histories.add("key 1", "clients");
    histories.add("one more", "top");
    assertThat(histories.of("key 1")).containsExactly("top", "clients");
    assertThat(histories.of("key 2")).isEmpty();
    assertThat(histories.of("one more")).containsExactly("top");
  }
}
