package joshua.ssh;

import java.lang.Character.UnicodeScript;
import java.util.Set;

/** The number of terminal columns that a text takes: most characters one, Han and emoji two. */
final class DisplayWidth {
  private static final Set<UnicodeScript> WIDE =
      Set.of(
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.HANGUL,
          UnicodeScript.BOPOMOFO,
          UnicodeScript.YI);

  private DisplayWidth() {}

  static int of(String text) {
    return text.codePoints().map(DisplayWidth::of).sum();
  }

  /** The longest prefix that fits. */
  static String beginning(String text, int columns) {
    return text.substring(0, end(text, 0, columns));
  }

  /** The end of the longest part that fits, from {@code start} on. */
  static int end(String text, int start, int columns) {
    int room = columns;
    int end = start;
    while (end < text.length()) {
      int character = text.codePointAt(end);
      room -= of(character);
      if (room < 0) {
        break;
      }
      end += Character.charCount(character);
    }
    return end;
  }

  private static int of(int character) {
    int type = Character.getType(character);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean narrowForm = character >= 0xff61 && character <= 0xffdc;
    boolean wideForm =
        (character >= 0xff01 && character <= 0xff60)
            || (character >= 0xffe0 && character <= 0xffe6)
            || (character >= 0x3000 && character <= 0x303e);
    boolean wide =
        wideForm
            || Character.isEmojiPresentation(character)
            || (!narrowForm && WIDE.contains(UnicodeScript.of(character)));
    return wide ? 2 : 1;
  }
}
