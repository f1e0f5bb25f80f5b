package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The command history of each key's owner. */
class CommandHistoriesTest {
  private final CommandHistories commandHistories = new CommandHistories();

  @Test
  void eachKeyHasItsOwn() {
    commandHistories.add("a", "clients");
    commandHistories.add("b", "tasks");
    commandHistories.add("a", "top");
    assertThat(commandHistories.of("a")).containsExactly("clients", "top");
    assertThat(commandHistories.of("b")).containsExactly("tasks");
    assertThat(commandHistories.of("c")).isEmpty();
  }

  @Test
  void whatIsTypedTwiceInARowIsKeptOnce() {
    commandHistories.add("a", "top");
    commandHistories.add("a", "top");
    commandHistories.add("a", " ");
    assertThat(commandHistories.of("a")).containsExactly("top");
  }

  @Test
  void theOldestLinesGo() {
    IntStream.rangeClosed(1, CommandHistories.LINES + 1)
        .forEach(i -> commandHistories.add("a", "line " + i));
    assertThat(commandHistories.of("a")).hasSize(CommandHistories.LINES).startsWith("line 2");
  }

  @Test
  void longLinesAreNotKept() {
    commandHistories.add("a", "x".repeat(CommandHistories.LONGEST));
    commandHistories.add("a", "y".repeat(CommandHistories.LONGEST + 1));
    assertThat(commandHistories.of("a")).containsExactly("x".repeat(CommandHistories.LONGEST));
  }

  @Test
  void theKeyLeastRecentlyUsedIsForgotten() {
    IntStream.rangeClosed(1, CommandHistories.KEYS)
        .forEach(i -> commandHistories.add("key " + i, "top"));
    commandHistories.add("key 1", "clients");
    commandHistories.add("one more", "top");
    assertThat(commandHistories.of("key 1")).containsExactly("top", "clients");
    assertThat(commandHistories.of("key 2")).isEmpty();
    assertThat(commandHistories.of("one more")).containsExactly("top");
  }
}
