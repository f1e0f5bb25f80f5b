package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Columns under headings. */
class TextTableTest {

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    TextTable textTable = new TextTable("ID", "#COUNT", "WHAT");
    textTable.add("anna", "7", "short");
    textTable.add("b", "10000000", "a longer text that goes on");
    assertThat(plain(textTable))
        .containsExactly(
            "ID       COUNT  WHAT",
            "anna         7  short",
            "b     10000000  a longer text that goes on");
  }

  @Test
  void wideCharactersTakeTwoColumns() {
    TextTable textTable = new TextTable("NAME", "X");
    textTable.add("日本", "x");
    textTable.add("e\u0301ab", "x");
    textTable.add("ｶﾀ12", "x");
    textTable.add("🚀ab", "x");
    assertThat(plain(textTable))
        .containsExactly("NAME  X", "日本  x", "e\u0301ab   x", "ｶﾀ12  x", "🚀ab  x");
  }

  @Test
  void hostileCellsTakeTheRoomOfWhatIsShown() {
    TextTable textTable = new TextTable("ID", "X");
    textTable.add("\033[2J", "x");
    assertThat(plain(textTable)).containsExactly("ID         X", "\\u001b[2J  x");
  }

  @Test
  void aStyleDoesNotTakeRoom() {
    TextTable textTable = new TextTable("STATE", "X");
    textTable.add(
        List.of(
            new StyledLine.Piece("gone", TextStyle.BAD),
            new StyledLine.Piece("x", TextStyle.PLAIN)));
    assertThat(textTable.lines().get(1).coloured()).isEqualTo("\033[31mgone\033[0m   x");
  }

  @Test
  void aTableWithoutRowsIsEmpty() {
    TextTable textTable = new TextTable("ID");
    assertThat(textTable.isEmpty()).isTrue();
    textTable.add("x");
    assertThat(textTable.isEmpty()).isFalse();
  }

  @Test
  void aRowHasACellForEachHeading() {
    assertThatThrownBy(() -> new TextTable("A", "B").add("1"))
        .hasMessage("a row has as many cells as there are headings");
  }

  private static List<String> plain(TextTable textTable) {
    return textTable.lines().stream().map(StyledLine::plain).toList();
  }
}
