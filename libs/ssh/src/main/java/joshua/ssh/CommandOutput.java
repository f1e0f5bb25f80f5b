package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import joshua.kernel.Json;

/**
 * The output of a verb. Everything written is made safe for terminals: control and format
 * characters in foreign text are shown as {@code \}{@code uXXXX}, also in JSON, where that means
 * the same.
 */
public final class CommandOutput {
  private static final String CLEAR = "\033[2J";
  private static final String HOME = "\033[H";
  private static final String CLEAR_LINE = "\033[K";
  private static final String CLEAR_BELOW = "\033[J";

  private final AdminConsole adminConsole;
  private final OutputFormat format;
  private boolean drawn;

  public CommandOutput(AdminConsole adminConsole, OutputFormat format) {
    this.adminConsole = adminConsole;
    this.format = format;
  }

  /** The format that the caller requested. */
  public OutputFormat format() {
    return format;
  }

  /** Whether the client no longer reads; a verb that runs until stopped ends then. */
  public boolean gone() {
    return adminConsole.gone();
  }

  /** Whether the output goes to a terminal, where it can be redrawn. */
  public boolean live() {
    return format == OutputFormat.TABLE && adminConsole.terminal().isPresent();
  }

  /** Writes a complete answer in the requested format, then its remarks. */
  public void show(VerbReport verbReport) {
    if (format == OutputFormat.JSON) {
      json(verbReport.json());
    } else {
      lines(verbReport.lines().get());
    }
    verbReport.remarks().forEach(this::remark);
  }

  /** Writes one JSON value on a line of its own. */
  public void json(JsonNode value) {
    adminConsole.out(PrintableText.text(Json.write(value)) + "\n");
  }

  /** Writes lines; on a terminal coloured and wrapped between words. */
  public void lines(List<StyledLine> lines) {
    boolean colours = adminConsole.colours();
    StringBuilder text = new StringBuilder();
    for (StyledLine styledLine : rows(lines)) {
      text.append(colours ? styledLine.coloured() : styledLine.plain().stripTrailing())
          .append('\n');
    }
    adminConsole.out(text.toString());
  }

  /** Writes one line; on a terminal coloured and cut to its width. */
  public void row(StyledLine styledLine) {
    StyledLine cut =
        adminConsole.terminal().map(size -> styledLine.cut(size.columns())).orElse(styledLine);
    adminConsole.out(
        (adminConsole.colours() ? cut.coloured() : cut.plain().stripTrailing()) + "\n");
  }

  private List<StyledLine> rows(List<StyledLine> lines) {
    return adminConsole
        .terminal()
        .map(size ->
            lines.stream()
                .flatMap(styledLine -> styledLine.wrapped(size.columns()).stream())
                .toList())
        .orElse(lines);
  }

  /** Writes text without adding a line end; line ends and tabs in it are kept. */
  public void text(String text) {
    adminConsole.out(PrintableText.lines(text));
  }

  /**
   * Replaces everything on the terminal, cut to its size; the last row reports how many lines don't
   * fit. Earlier content is overwritten rather than cleared, to avoid flicker.
   */
  public void redraw(List<StyledLine> lines) {
    AdminConsole.Size size = adminConsole.terminal().orElse(new AdminConsole.Size(80, 24));
    // The cursor stays on the row below.
    int rows = Math.max(1, size.rows() - 1);
    StringBuilder text = new StringBuilder(drawn ? HOME : HOME + CLEAR);
    List<StyledLine> shown = lines.size() > rows ? lines.subList(0, rows - 1) : lines;
    shown.forEach(styledLine -> draw(styledLine, size, text));
    if (lines.size() > rows) {
      int left = lines.size() - shown.size();
      draw(StyledLine.of("… and %d lines more".formatted(left), TextStyle.FAINT), size, text);
    }
    drawn = true;
    adminConsole.out(text.append(CLEAR_BELOW).toString());
  }

  private void draw(StyledLine styledLine, AdminConsole.Size size, StringBuilder text) {
    // Cleared first: cleared after a line that fills its row, it would lose its last character.
    StyledLine cut = styledLine.cut(size.columns());
    text.append(CLEAR_LINE)
        .append(adminConsole.colours() ? cut.coloured() : cut.plain())
        .append('\n');
  }

  /** Writes a sentence that isn't the answer: about it, or why there is none. */
  public void remark(String sentence) {
    adminConsole.err("joshua: " + PrintableText.text(sentence) + "\n");
  }
}
