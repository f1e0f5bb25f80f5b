package joshua.thought;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.UnicodeText;
import joshua.state.query.QueryAnswer;

/** The plain text of a query's answer: its sentence, then the rows. */
final class AnswerText {
  private static final int MAX_ROWS = 60;
  private static final int MAX_CELL_LENGTH = 100;
  private static final String GAP = "  ";

  private AnswerText() {}

  static String of(QueryAnswer answer) {
    List<String> lines = new ArrayList<>();
    lines.add(answer.sentence());
    if (answer.rows().size() == 1) {
      answer.rows().getFirst().properties().stream()
          .filter(column -> !column.getValue().isNull())
          .forEach(
              column -> lines.add("  %s: %s".formatted(column.getKey(), text(column.getValue()))));
    } else {
      lines.addAll(table(answer.rows()));
    }
    lines.addAll(answer.caveats());
    String times =
        Stream.of("at", "since", "until")
            .filter(answer.arguments()::has)
            .map(name -> "%s %s".formatted(name, answer.arguments().get(name).asText()))
            .collect(Collectors.joining(", "));
    if (!times.isEmpty()) {
      lines.add("Times are UTC: %s.".formatted(times));
    }
    return String.join("\n", lines);
  }

  private static List<String> table(List<ObjectNode> rows) {
    List<List<String>> table = new ArrayList<>();
    for (ObjectNode row : rows.subList(0, Math.min(rows.size(), MAX_ROWS))) {
      if (table.isEmpty()) {
        table.add(row.properties().stream().map(Map.Entry::getKey).toList());
      }
      table.add(row.properties().stream().map(column -> cell(column.getValue())).toList());
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : table) {
      StringBuilder line = new StringBuilder(GAP);
      for (int i = 0; i < row.size(); i++) {
        int column = i;
        int width = table.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
        line.append(row.get(i)).append(" ".repeat(width - row.get(i).length())).append(GAP);
      }
      lines.add(line.toString().stripTrailing());
    }
    if (rows.size() > MAX_ROWS) {
      lines.add(GAP + "and %d rows more".formatted(rows.size() - MAX_ROWS));
    }
    return lines;
  }

  private static String cell(JsonNode value) {
    String line = text(value).replaceAll("\\s+", " ");
    return line.length() <= MAX_CELL_LENGTH
        ? line
        : UnicodeText.truncate(line, MAX_CELL_LENGTH - 1) + "…";
  }

  private static String text(JsonNode value) {
    return value.isNull() ? "-" : value.asText();
  }
}
