package joshua.ssh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A table of text, with widths as a terminal shows them: Han and emoji take two columns. */
final class TextTable {
  private static final String GAP = "  ";
  private static final String ELLIPSIS = "…";
  private static final String PLAIN = "\u001b[0m";
  private static final String BOLD = "\u001b[1m";
  private static final Set<String> OF_STATES = Set.of("state", "status", "why");
  private static final int MIN_LAST = 20; // for the last column beside the others
  private static final int MIN_ROOM = 10;
  private static final int MAX_LINES = 3; // of one cell

  private TextTable() {}

  /** Whether there is room for the last column beside the others. */
  static boolean fits(List<List<String>> rows, int room) {
    int last = rows.getFirst().size() - 1;
    int longest = rows.stream().mapToInt(row -> width(row.get(last))).max().orElse(0);
    return room <= 0 || Math.min(longest, MIN_LAST) <= room - beside(widths(rows, room));
  }

  /**
   * The lines of a table. Its last column takes what the others leave, on further lines if need be;
   * where that is too little, it has lines of its own.
   *
   * @param rows of equally many cells; the first has the headings
   * @param room the maximum width of a line; 0 for none
   * @param coloured whether headings are bold, and states coloured by how well they are
   */
  static List<String> lines(List<List<String>> rows, int room, boolean coloured) {
    List<String> headings = rows.getFirst();
    int last = headings.size() - 1;
    int[] widths = widths(rows, room);
    boolean fits = fits(rows, room);
    String indent = " ".repeat(fits ? beside(widths) : GAP.length());
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      boolean isHeading = lines.isEmpty();
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < last; i++) {
        String cell = cut(row.get(i), widths[i]);
        String space = " ".repeat(widths[i] - width(cell));
        line.append(painted(cell, headings.get(i), coloured)).append(space).append(GAP);
      }
      int left = room <= 0 ? 0 : room - indent.length();
      List<String> end = wrapped(row.get(last), left, MAX_LINES);
      String first = painted(end.getFirst(), headings.get(last), coloured);
      String head = line.toString();
      lines.addAll(fits ? List.of((head + first)) : List.of(head.stripTrailing(), indent + first));
      end.stream().skip(1).forEach(more -> lines.add(indent + more));
      if (coloured && isHeading) {
        lines.replaceAll(heading -> BOLD + heading + PLAIN);
      }
    }
    return lines;
  }

  /** The widths of all columns but the last; with a limit, none takes more than half of it. */
  private static int[] widths(List<List<String>> rows, int room) {
    int[] widths = new int[rows.getFirst().size() - 1];
    for (List<String> row : rows) {
      Arrays.setAll(widths, i -> Math.max(widths[i], width(row.get(i))));
    }
    int most = room <= 0 ? Integer.MAX_VALUE : Math.max(room, MIN_ROOM) / 2;
    Arrays.setAll(widths, i -> Math.min(widths[i], most));
    return widths;
  }

  private static int beside(int[] widths) {
    return Arrays.stream(widths).map(width -> width + GAP.length()).sum();
  }

  /** A cell whose first word has its colour, in a column that tells how something is. */
  private static String painted(String cell, String heading, boolean coloured) {
    int end = cell.indexOf(' ') < 0 ? cell.length() : cell.indexOf(' ');
    String word = cell.substring(0, end).replaceFirst("[:,]$", "").toLowerCase(Locale.ROOT);
    int colour =
        switch (word) {
          case "healthy", "connected", "present", "completed", "ready" -> 32;
          case "stale", "away", "queued", "pending", "running", "streaming" -> 33;
          case "disconnected", "failed" -> 31;
          default -> 0;
        };
    return coloured && colour > 0 && OF_STATES.contains(heading)
        ? "\u001b[%dm%s%s%s".formatted(colour, cell.substring(0, end), PLAIN, cell.substring(end))
        : cell;
  }

  /** A text in so many lines at most, which end between words where they can. */
  static List<String> wrapped(String text, int room, int most) {
    int places = room <= 0 ? Integer.MAX_VALUE : Math.max(room, MIN_ROOM);
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (width(rest) > places && lines.size() < most - 1) {
      int end = end(rest, places);
      int space = rest.lastIndexOf(' ', end);
      lines.add(rest.substring(0, space > 0 ? space : end));
      rest = rest.substring(space > 0 ? space + 1 : end);
    }
    lines.add(cut(rest, places));
    return lines;
  }

  private static String cut(String text, int room) {
    return width(text) <= room ? text : text.substring(0, end(text, room - 1)) + ELLIPSIS;
  }

  /** How many characters of a text have room, of one that has more. */
  private static int end(String text, int room) {
    int end = 0;
    for (int taken = 0; end < text.length(); end += Character.charCount(text.codePointAt(end))) {
      taken += width(text.codePointAt(end));
      if (taken > room) {
        break;
      }
    }
    return end;
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
