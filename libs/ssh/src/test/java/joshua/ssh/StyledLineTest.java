package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A line of pieces, cut or wrapped to a terminal's width. */
class StyledLineTest {

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
    StyledLine styledLine =
        new StyledLine(
            List.of(
                new StyledLine.Piece(first, TextStyle.GOOD),
                new StyledLine.Piece(second, TextStyle.PLAIN)));
    assertThat(styledLine.cut(columns).plain()).isEqualTo(shown);
    assertThat(DisplayWidth.of(styledLine.cut(columns).plain())).isLessThanOrEqualTo(columns);
  }

  @Test
  void piecesKeepTheirStyleWhenCut() {
    StyledLine styledLine =
        new StyledLine(
            List.of(
                new StyledLine.Piece("abc", TextStyle.GOOD),
                new StyledLine.Piece("defgh", TextStyle.BAD)));
    assertThat(styledLine.cut(6).coloured()).isEqualTo("\033[32mabc\033[0m\033[31mde…\033[0m");
  }

  @Test
  void foreignTextIsHarmlessInEveryPiece() {
    StyledLine styledLine = StyledLine.of("\033]0;title\007", TextStyle.STRONG);
    assertThat(styledLine.plain()).isEqualTo("\\u001b]0;title\\u0007");
    assertThat(styledLine.coloured()).isEqualTo("\033[1m\\u001b]0;title\\u0007\033[0m");
  }

  private static List<String> wrapped(int columns, String... pieces) {
    StyledLine styledLine =
        new StyledLine(
            Stream.of(pieces).map(text -> new StyledLine.Piece(text, TextStyle.PLAIN)).toList());
    return styledLine.wrapped(columns).stream().map(StyledLine::plain).toList();
  }

  @Test
  void isBrokenBetweenWordsBelowItsLastPiece() {
    assertThat(wrapped(26, "help  ", "Say what verbs there are, or what one of them does."))
        .containsExactly(
            "help  Say what verbs there", "      are, or what one of", "      them does.");
  }

  @Test
  void staysWholeWhereItHasRoomOrHardlyAny() {
    assertThat(wrapped(31, "help  ", "Say what verbs there are.")).hasSize(1);
    assertThat(wrapped(25, "help    ", "Say what verbs there are.")).hasSize(1);
    assertThat(wrapped(0, "Say what verbs there are.")).hasSize(1);
  }

  @Test
  void aWordWithoutRoomStandsWhole() {
    String word = "x".repeat(30);
    assertThat(wrapped(24, "a " + word + " b")).containsExactly("a", word, "b");
    assertThat(wrapped(24, " " + word + "  b")).containsExactly(" " + word, " b");
    assertThat(wrapped(24, word)).containsExactly(word);
  }

  @Test
  void everyRowKeepsItsStyle() {
    StyledLine styledLine = StyledLine.of("one two three four five", TextStyle.BAD);
    assertThat(styledLine.wrapped(20).stream().map(StyledLine::coloured))
        .containsExactly("\033[31mone two three four\033[0m", "\033[31mfive\033[0m");
  }

  @Test
  @Timeout(10)
  void aLongTextTakesAsLongAsItIsLong() {
    assertThat(wrapped(21, "0123456789 ".repeat(300_000))).hasSize(150_000);
  }
}
