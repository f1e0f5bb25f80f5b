package joshua.ssh;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Foreign text made safe for a terminal. */
final class PrintableText {
  /** Control and format characters but tabs and joiners, and separators of lines and paragraphs. */
  private static final Pattern UNSAFE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\t\u200c\u200d]]");

  private PrintableText() {}

  /** The text with every such character written as {@code \}{@code uXXXX}. */
  static String of(String foreign) {
    return UNSAFE
        .matcher(foreign)
        .replaceAll(unsafe ->
            unsafe.group().chars().mapToObj("\\\\u%04x"::formatted).collect(Collectors.joining()));
  }
}
