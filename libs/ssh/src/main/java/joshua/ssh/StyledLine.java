package joshua.ssh;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A line for people, made of styled pieces. Foreign text in it is made safe when it is shown, so
 * callers needn't do that.
 */
public record StyledLine(List<Piece> pieces) {
  /** Marks a line that was cut. */
  private static final String CUT = "…";

  /** If less room is left for the last piece, the terminal wraps the line instead. */
  private static final int LEAST_ROOM = 20;

  /** Text in one style. */
  public record Piece(String text, TextStyle style) {
    public Piece {
      text = PrintableText.text(text);
    }

    /** The width in columns. */
    int width() {
      return DisplayWidth.of(text);
    }
  }

  public StyledLine {
    pieces = List.copyOf(pieces);
  }

  public static StyledLine of(String text) {
    return of(text, TextStyle.PLAIN);
  }

  public static StyledLine of(String text, TextStyle textStyle) {
    return new StyledLine(List.of(new Piece(text, textStyle)));
  }

  /** The text for programs and files. */
  public String plain() {
    StringBuilder text = new StringBuilder();
    pieces.forEach(piece -> text.append(piece.text()));
    return text.toString();
  }

  /** The text for a terminal. */
  String coloured() {
    StringBuilder text = new StringBuilder();
    pieces.forEach(piece -> text.append(piece.style().on(piece.text())));
    return text.toString();
  }

  private int width() {
    return pieces.stream().mapToInt(Piece::width).sum();
  }

  /** The line cut to this width; a cut is marked. */
  StyledLine cut(int columns) {
    if (width() <= columns) {
      return this;
    }
    int room = Math.max(0, columns - 1);
    List<Piece> kept = new ArrayList<>();
    for (Piece piece : pieces) {
      String text = DisplayWidth.beginning(piece.text(), room);
      if (text.length() < piece.text().length()) {
        kept.add(new Piece(text + CUT, piece.style()));
        break;
      }
      kept.add(piece);
      room -= piece.width();
    }
    return new StyledLine(kept);
  }

  /**
   * The line wrapped to this width between words: the last piece continues below its own start. A
   * word that doesn't fit isn't broken.
   */
  List<StyledLine> wrapped(int columns) {
    if (width() <= columns) {
      return List.of(this);
    }
    Piece last = pieces.getLast();
    int indent = width() - last.width();
    int room = columns - indent;
    if (room < LEAST_ROOM) {
      return List.of(this);
    }
    List<StyledLine> rows = new ArrayList<>();
    List<Piece> before = pieces.subList(0, pieces.size() - 1);
    String text = last.text().stripTrailing();
    int start = 0;
    int end = rowEnd(text, start, room);
    while (end < text.length()) {
      rows.add(row(before, text.substring(start, end), last.style()));
      before = List.of(new Piece(" ".repeat(indent), TextStyle.PLAIN));
      start = end + 1;
      end = rowEnd(text, start, room);
    }
    rows.add(row(before, text.substring(start), last.style()));
    return rows;
  }

  /** Where to break the rest of a text: at a space or at its end. */
  private static int rowEnd(String text, int start, int room) {
    if (DisplayWidth.end(text, start, room) == text.length()) {
      return text.length();
    }
    // The space itself needs no column.
    int space = text.lastIndexOf(' ', DisplayWidth.end(text, start, room + 1) - 1);
    int next = space > start ? space : text.indexOf(' ', start + 1);
    return next < 0 ? text.length() : next;
  }

  private static StyledLine row(List<Piece> before, String text, TextStyle textStyle) {
    return new StyledLine(
        Stream.concat(before.stream(), Stream.of(new Piece(text, textStyle))).toList());
  }
}
