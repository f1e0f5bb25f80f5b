package joshua.ssh;

/** How a piece of text stands out where colours can be seen. */
public enum Style {
  PLAIN(""),
  STRONG("1"),
  FAINT("2"),
  GOOD("32"),
  DOUBTFUL("33"),
  BAD("31");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** The text as a terminal shows it in this style. */
  String on(String text) {
    return code.isEmpty() || text.isEmpty() ? text : "\033[" + code + "m" + text + "\033[0m";
  }
}
