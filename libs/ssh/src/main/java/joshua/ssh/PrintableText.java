package joshua.ssh;

/** Foreign text made safe for a terminal. */
public final class PrintableText {
  private PrintableText() {}

  /** Returns the text with every control and format character written as {@code \}{@code uXXXX}. */
  public static String text(String foreign) {
    return escaped(foreign, "");
  }

  /** The same, but line ends and tabs are kept. */
  public static String lines(String foreign) {
    return escaped(foreign, "\n\t");
  }

  private static String escaped(String foreign, String kept) {
    StringBuilder text = new StringBuilder(foreign.length());
    foreign
        .codePoints()
        .forEach(c -> {
          int type = Character.getType(c);
          boolean harmful =
              type == Character.CONTROL
                  || type == Character.FORMAT
                  || type == Character.LINE_SEPARATOR
                  || type == Character.PARAGRAPH_SEPARATOR;
          if (harmful && kept.indexOf(c) < 0) {
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
