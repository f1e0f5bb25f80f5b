package joshua.ssh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table with headings, each column as wide as its widest cell; the last column isn't padded. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<List<StyledLine.Piece>> rows = new ArrayList<>();
  private final boolean[] numbers;

  /**
   * Creates an empty table.
   *
   * @param headings of its columns; one that begins with {@code #} marks a column of numbers, which
   *     is right-aligned
   */
  public TextTable(String... headings) {
    this.numbers = new boolean[headings.length];
    List<StyledLine.Piece> first = new ArrayList<>();
    for (int i = 0; i < headings.length; i++) {
      numbers[i] = headings[i].startsWith("#");
      first.add(
          new StyledLine.Piece(
              numbers[i] ? headings[i].substring(1) : headings[i], TextStyle.STRONG));
    }
    rows.add(first);
  }

  /** Adds a row of plain cells. */
  public void add(String... cells) {
    add(Arrays.stream(cells).map(cell -> new StyledLine.Piece(cell, TextStyle.PLAIN)).toList());
  }

  /** Adds a row of styled cells. */
  public void add(List<StyledLine.Piece> cells) {
    if (cells.size() != numbers.length) {
      throw new IllegalArgumentException("a row has as many cells as there are headings");
    }
    rows.add(List.copyOf(cells));
  }

  /** Whether the table has no rows. */
  public boolean isEmpty() {
    return rows.size() == 1;
  }

  /** The headings and the rows. */
  public List<StyledLine> lines() {
    int[] widths = new int[numbers.length];
    for (List<StyledLine.Piece> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).width());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private StyledLine line(List<StyledLine.Piece> row, int[] widths) {
    List<StyledLine.Piece> pieces = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      StyledLine.Piece cell = row.get(i);
      String space = " ".repeat(widths[i] - cell.width());
      boolean last = i == widths.length - 1;
      if (numbers[i]) {
        pieces.add(blank(space));
      }
      pieces.add(cell);
      if (!last) {
        pieces.add(blank(numbers[i] ? GAP : space + GAP));
      }
    }
    return new StyledLine(pieces);
  }

  private static StyledLine.Piece blank(String spaces) {
    return new StyledLine.Piece(spaces, TextStyle.PLAIN);
  }
}
