package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A line of pieces, cut to a terminal's width. */
class LineTest {

  @ParameterizedTest
  @CsvSource(
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "abcde,fgh,8,abcdefgh",
        "abcde,fgh,9,abcdefgh",
        "abcde,fgh,7,abcdef…",
        "abcde,fgh,6,abcde…",
        "abcde,fgh,5,abcd…",
        "abcde,f,5,abcd…",
        "abcde,fgh,1,…",
        "日本語,x,7,日本語x",
        "日本語,x,6,日本…",
        "日本語,x,5,日本…",
        "日本語,x,4,日…",
        "🚀🚀,x,4,🚀…",
      })
  void isCutToTheWidthAndNeverWider(String first, String second, int columns, String shown) {
    Line line =
        new Line(List.of(new Line.Piece(first, Style.GOOD), new Line.Piece(second, Style.PLAIN)));
    assertThat(line.cut(columns).plain()).isEqualTo(shown);
    assertThat(Columns.of(line.cut(columns).plain())).isLessThanOrEqualTo(columns);
  }

  @Test
  void piecesKeepTheirStyleWhenCut() {
    Line line =
        new Line(List.of(new Line.Piece("abc", Style.GOOD), new Line.Piece("defgh", Style.BAD)));
    assertThat(line.cut(6).coloured()).isEqualTo("\033[32mabc\033[0m\033[31mde…\033[0m");
  }

  @Test
  void foreignTextIsHarmlessInEveryPiece() {
    Line line = Line.of("\033]0;title\007", Style.STRONG);
    assertThat(line.plain()).isEqualTo("\\u001b]0;title\\u0007");
    assertThat(line.coloured()).isEqualTo("\033[1m\\u001b]0;title\\u0007\033[0m");
  }
}
