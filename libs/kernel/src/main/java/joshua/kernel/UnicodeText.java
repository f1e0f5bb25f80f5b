package joshua.kernel;

import java.nio.charset.StandardCharsets;

/** Texts without half a character, which no message and no JSON can carry. */
public final class UnicodeText {
  private UnicodeText() {}

  /** The beginning of a text, without half a character at its end. */
  public static String beginning(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    boolean half = most > 0 && Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, half ? most - 1 : most);
  }

  /** A text with a question mark for each half of a character. */
  public static String repaired(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
