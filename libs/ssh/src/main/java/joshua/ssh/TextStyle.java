package joshua.ssh;

import java.util.List;

/** How a piece of text stands out on a terminal with colours. */
public enum TextStyle {
  PLAIN(""),
  STRONG("1"),
  FAINT("2"),
  GOOD("32"),
  DOUBTFUL("33"),
  BAD("31"),
  CYAN("36"),
  MAGENTA("35"),
  BLUE("34"),
  GREEN("32"),
  YELLOW("33"),
  BRIGHT_CYAN("96");

  /** Colours that distinguish names; red is reserved for problems. */
  private static final List<TextStyle> HUES =
      List.of(CYAN, MAGENTA, BLUE, GREEN, YELLOW, BRIGHT_CYAN);

  private final String code;

  TextStyle(String code) {
    this.code = code;
  }

  /** The colour of a name, the same wherever it appears; two names may share one. */
  public static TextStyle ofName(String name) {
    return HUES.get(Math.floorMod(name.hashCode(), HUES.size()));
  }

  /** The text with the escape sequences of this style. */
  String on(String text) {
    return code.isEmpty() || text.isEmpty() ? text : "\033[" + code + "m" + text + "\033[0m";
  }
}
