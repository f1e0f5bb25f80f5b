package joshua.ssh;

/** Text of others made safe for a terminal. */
final class PrintableText {
  private PrintableText() {}

  /** The text with every control and format character written as {@code \}{@code uXXXX}. */
  static String of(String foreign) {
    StringBuilder text = new StringBuilder(foreign.length());
    foreign
        .codePoints()
        .forEach(c -> {
          switch (Character.getType(c)) {
            case Character.CONTROL,
                Character.FORMAT,
                Character.LINE_SEPARATOR,
                Character.PARAGRAPH_SEPARATOR -> {
              for (char unit : Character.toChars(c)) {
                text.append("\\u%04x".formatted((int) unit));
              }
            }
            default -> text.appendCodePoint(c);
          }
        });
    return text.toString();
  }
}
