package joshua.ssh;

import java.util.ArrayList;
import java.util.List;

/**
 * A line for people, made of pieces with a style each. Foreign text in it is made harmless when it
 * is shown, so nobody has to think of that.
 */
public record Line(List<Piece> pieces) {
  /** The end of a line that was cut. */
  private static final String CUT = "…";

  /** Text of one style. */
  public record Piece(String text, Style style) {
    public Piece {
      text = Printable.text(text);
    }

    /** How many columns it takes. */
    int width() {
      return Columns.of(text);
    }
  }

  public Line {
    pieces = List.copyOf(pieces);
  }

  public static Line of(String text) {
    return of(text, Style.PLAIN);
  }

  public static Line of(String text, Style style) {
    return new Line(List.of(new Piece(text, style)));
  }

  /** Text as it is written to programs and files. */
  public String plain() {
    StringBuilder text = new StringBuilder();
    pieces.forEach(piece -> text.append(piece.text()));
    return text.toString();
  }

  /** Text as it is written to a terminal. */
  String coloured() {
    StringBuilder text = new StringBuilder();
    pieces.forEach(piece -> text.append(piece.style().on(piece.text())));
    return text.toString();
  }

  /** The same, at most so wide; a cut shows. */
  Line cut(int columns) {
    int width = pieces.stream().mapToInt(Piece::width).sum();
    if (width <= columns) {
      return this;
    }
    int room = Math.max(0, columns - 1);
    List<Piece> kept = new ArrayList<>();
    for (Piece piece : pieces) {
      String text = Columns.beginning(piece.text(), room);
      if (text.length() < piece.text().length()) {
        kept.add(new Piece(text + CUT, piece.style()));
        break;
      }
      kept.add(piece);
      room -= piece.width();
    }
    return new Line(kept);
  }
}
