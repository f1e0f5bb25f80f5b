package joshua.ssh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table of text, with widths as a terminal shows them: Han and emoji take two columns. */
final class TextTable {
  private static final String GAP = "  ";
  private static final String ELLIPSIS = "…";

  private TextTable() {}

  /**
   * The lines of a table.
   *
   * @param rows of equally many cells; the first has the headings
   * @param room the width at which lines are cut; 0: never
   */
  static List<String> lines(List<List<String>> rows, int room) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      Arrays.setAll(widths, i -> Math.max(widths[i], width(row.get(i))));
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(row.getFirst());
      for (int i = 1; i < columns; i++) {
        String before = row.get(i - 1);
        line.append(" ".repeat(widths[i - 1] - width(before))).append(GAP).append(row.get(i));
      }
      lines.add(cut(line.toString().stripTrailing(), room));
    }
    return lines;
  }

  private static String cut(String line, int room) {
    if (room <= 0 || width(line) <= room) {
      return line;
    }
    int end = 0;
    for (int taken = width(ELLIPSIS); ; ) {
      int character = line.codePointAt(end);
      taken += width(character);
      if (taken > room) {
        return line.substring(0, end) + ELLIPSIS;
      }
      end += Character.charCount(character);
    }
  }

  static int width(String text) {
    return text.codePoints().map(TextTable::width).sum();
  }

  private static int width(int character) {
    return switch (Character.getType(character)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
      default -> isWide(character) ? 2 : 1;
    };
  }

  /** The blocks of Unicode's East Asian Width "wide" and "fullwidth", and emoji. */
  private static boolean isWide(int c) {
    return (c >= 0x1100 && c <= 0x115f)
        || (c >= 0x2e80 && c <= 0xa4cf && c != 0x303f)
        || (c >= 0xac00 && c <= 0xd7a3)
        || (c >= 0xf900 && c <= 0xfaff)
        || (c >= 0xfe30 && c <= 0xfe6f)
        || (c >= 0xff01 && c <= 0xff60)
        || (c >= 0xffe0 && c <= 0xffe6)
        || (c >= 0x20000 && c <= 0x3fffd)
        || Character.isEmojiPresentation(c);
  }
}
