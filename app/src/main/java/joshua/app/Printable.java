package joshua.app;

/** Text from others, made harmless for a terminal. */
final class Printable {
  private Printable() {}

  /** The same text with every control and format character written as {@code \}{@code uXXXX}. */
  static String text(String foreign) {
    StringBuilder text = new StringBuilder(foreign.length());
    foreign
        .codePoints()
        .forEach(c -> {
          int type = Character.getType(c);
          if (type == Character.CONTROL
              || type == Character.FORMAT
              || type == Character.LINE_SEPARATOR
              || type == Character.PARAGRAPH_SEPARATOR) {
            for (char unit : Character.toChars(c)) {
              text.append("\\u%04x".formatted((int) unit));
            }
          } else {
            text.appendCodePoint(c);
          }
        });
    return text.toString();
  }
}
