package joshua.kernel;

import java.nio.charset.StandardCharsets;

/** Text operations that leave no unpaired surrogate, which no message and no JSON can carry. */
public final class UnicodeText {
  private UnicodeText() {}

  /** The first {@code max} characters of a text, or one fewer where that would split a pair. */
  public static String truncate(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    boolean half = max > 0 && Character.isHighSurrogate(text.charAt(max - 1));
    return text.substring(0, half ? max - 1 : max);
  }

  /** A text with each unpaired surrogate replaced by a question mark. */
  public static String repaired(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
