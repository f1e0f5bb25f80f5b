package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThoughtFilterTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Yes.|Yes.",
        "<think>plan</think>Yes.|Yes.",
        "<think>plan</think>~~Yes.|Yes.",
        " ~<thinking>a < b </think> c</thinking> Yes.|Yes.",
        "<think></think>Yes.|Yes.",
        "One.~<think>two</think>~Three.|One.~<think>two</think>~Three.",
        "One.~<tool_call>{}</tool_call>~Three.|One.~Three.",
        "<think>a</think><think>b</think>Yes.|Yes.",
        "<tool_call>{}</tool_call>Yes.|Yes.",
        "<think>never ends|''",
        "a <think> b|a <think> b",
        "<b>bold</b>|<b>bold</b>",
        "a~<|a~<",
        "<thinker>|<thinker>",
        "1 < 2~  <th|1 < 2~  <th",
      })
  void thoughtsAreTakenOutInPiecesOfAnySize(String said, String answer) {
    for (int size = 1; size <= said.length(); size++) {
      StringBuilder text = new StringBuilder();
      ThoughtFilter filter = new ThoughtFilter(text::append);
      String all = said.replace('~', '\n');
      for (int from = 0; from < all.length(); from += size) {
        filter.accept(all.substring(from, Math.min(all.length(), from + size)));
      }
      filter.end();
      assertThat(text).as("pieces of %d", size).hasToString(answer.replace('~', '\n'));
    }
  }

  @Test
  void aLargePieceIsPassedOnWithoutCuttingACharacter() {
    List<String> pieces = new ArrayList<>();
    String said = "x" + "\ud83d\ude00".repeat(1_000);
    new ThoughtFilter(pieces::add).accept(said);
    assertThat(String.join("", pieces)).isEqualTo(said);
    assertThat(pieces).noneMatch(piece -> Character.isLowSurrogate(piece.charAt(0)));
  }
}
