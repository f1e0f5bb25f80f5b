package joshua.ssh;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Foreign text made safe for a terminal. */
final class PrintableText {
  /** Control and format characters but tabs and joiners, and separators of lines and paragraphs. */
  private static final Pattern UNSAFE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\t\u200c\u200d]]");

  private static final Pattern CONTROL = Pattern.compile("\r(?!\n)|[\\p{Cc}&&[^\r\n\t]]");

  private PrintableText() {}

  /** A text whose control characters are escaped, but for those of plain text. */
  static String plain(String foreign) {
    return escaped(CONTROL, foreign);
  }

  /** The text with every such character written as {@code \}{@code uXXXX}. */
  static String of(String foreign) {
    return escaped(UNSAFE, foreign);
  }

  private static String escaped(Pattern those, String foreign) {
    return those
        .matcher(foreign)
        .replaceAll(unsafe ->
            unsafe.group().chars().mapToObj("\\\\u%04x"::formatted).collect(Collectors.joining()));
  }
}
