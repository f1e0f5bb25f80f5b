package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Columns under headings. */
class TableTest {

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    Table table = new Table("ID", "#COUNT", "WHAT");
    table.add("anna", "7", "short");
    table.add("b", "10000000", "a longer text that goes on");
    assertThat(plain(table))
        .containsExactly(
            "ID       COUNT  WHAT",
            "anna         7  short",
            "b     10000000  a longer text that goes on");
  }

  @Test
  void wideCharactersTakeTwoColumns() {
    Table table = new Table("NAME", "X");
    table.add("日本", "x");
    table.add("e\u0301ab", "x");
    table.add("ｶﾀ12", "x");
    table.add("🚀ab", "x");
    assertThat(plain(table))
        .containsExactly("NAME  X", "日本  x", "e\u0301ab   x", "ｶﾀ12  x", "🚀ab  x");
  }

  @Test
  void hostileCellsTakeTheRoomOfWhatIsShown() {
    Table table = new Table("ID", "X");
    table.add("\033[2J", "x");
    assertThat(plain(table)).containsExactly("ID         X", "\\u001b[2J  x");
  }

  @Test
  void aStyleDoesNotTakeRoom() {
    Table table = new Table("STATE", "X");
    table.add(List.of(new Line.Piece("gone", Style.BAD), new Line.Piece("x", Style.PLAIN)));
    assertThat(table.lines().get(1).coloured()).isEqualTo("\033[31mgone\033[0m   x");
  }

  @Test
  void aTableWithoutRowsIsEmpty() {
    Table table = new Table("ID");
    assertThat(table.isEmpty()).isTrue();
    table.add("x");
    assertThat(table.isEmpty()).isFalse();
  }

  @Test
  void aRowHasACellForEachHeading() {
    assertThatThrownBy(() -> new Table("A", "B").add("1"))
        .hasMessage("a row has as many cells as there are headings");
  }

  private static List<String> plain(Table table) {
    return table.lines().stream().map(Line::plain).toList();
  }
}
