package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class WordListsTest {
  @Test
  void aWordHasTheValueOfItsList() {
    WordLists lists = new WordLists("words.txt", "[unit hour] h hour\n[unit day] day\n[other x] h");
    assertThat(lists.values("unit")).isEqualTo(Map.of("h", "hour", "hour", "hour", "day", "day"));
  }

  @Test
  void aWordUnderTwoValuesIsAnError() {
    WordLists lists = new WordLists("words.txt", "[unit hour] h\n[unit day] day h");
    assertThatThrownBy(() -> lists.values("unit"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("words.txt", "\"h\"", "hour", "day");
  }
}
