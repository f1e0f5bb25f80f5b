package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The output of a verb: lines for people, or JSON for programs, flushed line by line. */
public final class VerbOutput {
  private static final Pattern TIME =
      Pattern.compile("[0-9]{4}-([0-9]{2}-[0-9]{2})T([0-9:]{8})[.][0-9]{3}Z");

  private final VerbTerminal terminal;
  private final boolean json;

  /** The output of a verb or command; {@code json} is for programs. */
  public VerbOutput(VerbTerminal terminal, boolean json) {
    this.terminal = terminal;
    this.json = json;
  }

  /** A line for people, in which control characters are escaped. */
  public void line(String text) {
    if (!json) {
      write(terminal.out(), text);
    }
  }

  /** A line of JSON for programs. */
  public void json(JsonNode value) {
    if (json) {
      write(terminal.out(), value.toString());
    }
  }

  /**
   * Shows a list of objects: for people as a table, fitted to the terminal, for programs as an
   * array of whole objects.
   *
   * @param columns the members to show, the longest last, since lines are cut at their end
   */
  public void rows(List<String> columns, JsonNode rows) {
    json(rows);
    table(columns, rows);
  }

  /** The same for people alone. */
  public void table(List<String> columns, JsonNode rows) {
    List<List<String>> table = new ArrayList<>();
    table.add(columns);
    for (JsonNode row : rows) {
      table.add(columns.stream().map(column -> cell(row.path(column))).toList());
    }
    TextTable.lines(table, terminal.columns()).forEach(this::line);
  }

  /** The text of a cell: times are in UTC, without year and milliseconds. */
  private static String cell(JsonNode value) {
    boolean absent = value.isMissingNode() || value.isNull();
    String text = value.isTextual() ? value.textValue() : value.toString();
    return absent ? "-" : PrintableText.of(TIME.matcher(text).replaceAll("$1 $2Z"));
  }

  /** A line on standard error, for people who watch. */
  public void note(String text) {
    write(terminal.err(), text);
  }

  private static void write(PrintStream stream, String text) {
    stream.println(PrintableText.of(text));
    stream.flush();
  }
}
