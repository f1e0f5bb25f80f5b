package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import joshua.kernel.Json;

/**
 * What a verb writes to. Everything that passes is made harmless for terminals: control and format
 * characters in foreign text are shown as {@code \}{@code uXXXX}, in JSON, too, where that means
 * the same.
 */
public final class Screen {
  private static final String CLEAR = "\033[2J";
  private static final String HOME = "\033[H";
  private static final String CLEAR_LINE = "\033[K";
  private static final String CLEAR_BELOW = "\033[J";

  private final Console console;
  private final OutputFormat format;
  private boolean drawn;

  public Screen(Console console, OutputFormat format) {
    this.console = console;
    this.format = format;
  }

  /** What the caller wants to read. */
  public OutputFormat format() {
    return format;
  }

  /** Whether nobody reads any more: a verb that goes on and on ends then. */
  public boolean gone() {
    return console.gone();
  }

  /** Whether a person sees it on a terminal, where it can be redrawn. */
  public boolean live() {
    return format == OutputFormat.TABLE && console.terminal().isPresent();
  }

  /** Shows a whole answer in the format that is wanted, and then what is to be said about it. */
  public void show(Report report) {
    if (format == OutputFormat.JSON) {
      json(report.json());
    } else {
      lines(report.lines().get());
    }
    report.remarks().forEach(this::remark);
  }

  /** One JSON value on a line of its own. */
  public void json(JsonNode value) {
    console.out(Printable.text(Json.write(value)) + "\n");
  }

  /** Lines one after the other, on a terminal coloured and broken between words. */
  public void lines(List<Line> lines) {
    boolean colours = console.colours();
    StringBuilder text = new StringBuilder();
    for (Line line : rows(lines)) {
      text.append(colours ? line.coloured() : line.plain().stripTrailing()).append('\n');
    }
    console.out(text.toString());
  }

  /** One line, on a terminal coloured and cut to its width. */
  public void row(Line line) {
    Line cut = console.terminal().map(size -> line.cut(size.columns())).orElse(line);
    console.out((console.colours() ? cut.coloured() : cut.plain().stripTrailing()) + "\n");
  }

  private List<Line> rows(List<Line> lines) {
    return console
        .terminal()
        .map(size -> lines.stream().flatMap(line -> line.wrapped(size.columns()).stream()).toList())
        .orElse(lines);
  }

  /** Text as it comes, without a line end of its own; line ends and tabs in it stay. */
  public void text(String text) {
    console.out(Printable.lines(text));
  }

  /**
   * In place of everything on the terminal, cut to its size; the last row tells how many lines have
   * no room. What was drawn before is written over, so that nothing flickers.
   */
  public void redraw(List<Line> lines) {
    Console.Size size = console.terminal().orElse(new Console.Size(80, 24));
    // The row below is where the cursor stays.
    int rows = Math.max(1, size.rows() - 1);
    StringBuilder text = new StringBuilder(drawn ? HOME : HOME + CLEAR);
    List<Line> shown = lines.size() > rows ? lines.subList(0, rows - 1) : lines;
    shown.forEach(line -> draw(line, size, text));
    if (lines.size() > rows) {
      int left = lines.size() - shown.size();
      draw(Line.of("… and %d lines more".formatted(left), Style.FAINT), size, text);
    }
    drawn = true;
    console.out(text.append(CLEAR_BELOW).toString());
  }

  private void draw(Line line, Console.Size size, StringBuilder text) {
    // Cleared first: after a line that fills its row, that would take its last character away.
    Line cut = line.cut(size.columns());
    text.append(CLEAR_LINE).append(console.colours() ? cut.coloured() : cut.plain()).append('\n');
  }

  /** What isn't the answer: a sentence about it, or about why there is none. */
  public void remark(String sentence) {
    console.err("joshua: " + Printable.text(sentence) + "\n");
  }
}
