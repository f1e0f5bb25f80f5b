package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;

/** What a verb says: lines for people, or JSON for programs. Each line is written at once. */
public final class VerbOutput {
  private final VerbTerminal terminal;
  private final boolean json;

  VerbOutput(VerbTerminal terminal, boolean json) {
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
   * A list of objects: for people a table, fitted to the terminal, for programs one array of the
   * objects with all their members.
   *
   * @param columns the members to show, the longest last: the end of a line is what is cut
   */
  public void rows(List<String> columns, Iterable<? extends JsonNode> rows) {
    ArrayNode objects = Json.mapper().createArrayNode();
    List<List<String>> table = new ArrayList<>();
    table.add(columns);
    for (JsonNode row : rows) {
      objects.add(row);
      table.add(columns.stream().map(column -> cell(row.path(column))).toList());
    }
    json(objects);
    TextTable.lines(table, terminal.columns()).forEach(this::line);
  }

  private static String cell(JsonNode value) {
    boolean absent = value.isMissingNode() || value.isNull();
    return absent
        ? "-"
        : PrintableText.of(value.isTextual() ? value.textValue() : value.toString());
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
