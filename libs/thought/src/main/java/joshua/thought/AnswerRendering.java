package joshua.thought;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.kernel.TextExcerpt;

/**
 * The rendering of answers written by code: first how the prompt was read, then the rows as a
 * plain-text table or, for one row, as a list of its members. Control characters, which terminals
 * would interpret, are replaced.
 */
final class AnswerRendering {
  /** With the final frame of a stream, ninety (wire contract §3). */
  static final int MAX_LINES = 89;

  private static final int WIDEST_CELL = 60;

  /** Nothing needs to align behind the last column. */
  private static final int WIDEST_LAST_CELL = 300;

  private AnswerRendering() {}

  /**
   * The lines of an answer, at most {@link #MAX_LINES}; if there are more, the last one says how
   * many.
   *
   * @param cut rows that were already left out
   */
  static List<String> lines(String readAs, List<String> columns, Evidence evidence, int cut) {
    List<String> lines = new ArrayList<>();
    List<JsonNode> rows = evidence.rows().valueStream().toList();
    lines.add("Read as: " + oneLine(readAs) + ".");
    if (rows.isEmpty()) {
      lines.add("Nothing found.");
    } else if (rows.size() == 1) {
      lines.addAll(members(columns(columns, rows), rows.getFirst()));
    } else {
      lines.addAll(table(columns(columns, rows), rows));
    }
    return bounded(lines, cut);
  }

  /**
   * The same, with a summary of the rows: the answer in a sentence comes first, caveats before the
   * rows.
   */
  static List<String> lines(
      String readAs, List<String> columns, QueryWhitelist.Outcome.Found found) {
    RowSummary summary = found.summary();
    List<String> said = new ArrayList<>();
    summary.answer().map(AnswerRendering::oneLine).ifPresent(said::add);
    List<String> rows = lines(readAs, columns, found.evidence(), found.cut());
    said.add(rows.getFirst());
    summary.caveats().stream().map(AnswerRendering::oneLine).forEach(said::add);
    said.addAll(rows.subList(1, rows.size()));
    return bounded(said, 0);
  }

  /** Fixed text, preceded by how the prompt was read. */
  static List<String> said(String readAs, List<String> text) {
    return bounded(
        Stream.concat(
                Stream.of("Read as: " + oneLine(readAs) + "."),
                text.stream().flatMap(String::lines).map(AnswerRendering::harmless))
            .toList(),
        0);
  }

  /** Lines of several answers, at most {@link #MAX_LINES}. */
  static List<String> bounded(List<String> lines) {
    return bounded(lines, 0);
  }

  private static List<String> bounded(List<String> lines, int cut) {
    if (lines.size() <= MAX_LINES && cut == 0) {
      return lines;
    }
    int kept = Math.min(lines.size(), MAX_LINES - 1);
    int more = lines.size() - kept + cut;
    List<String> shortened = new ArrayList<>(lines.subList(0, kept));
    shortened.add(
        "… and %d more lines%s.".formatted(more, cut > 0 ? "" : "; the evidence has them all"));
    return shortened;
  }

  /** The named columns that a row has, or all members if none is named. */
  private static List<String> columns(List<String> named, List<JsonNode> rows) {
    List<String> there =
        named.stream().filter(name -> rows.stream().anyMatch(row -> row.has(name))).toList();
    return there.isEmpty()
        ? rows.stream()
            .flatMap(row -> row.propertyStream().map(e -> e.getKey()))
            .distinct()
            .toList()
        : there;
  }

  private static List<String> members(List<String> columns, JsonNode row) {
    return columns.stream().flatMap(name -> member(name, row.path(name)).stream()).toList();
  }

  private static List<String> member(String name, JsonNode value) {
    List<String> lines = text(value).lines().map(AnswerRendering::harmless).toList();
    return lines.size() <= 1
        ? List.of(name + ": " + String.join("", lines))
        : Stream.concat(Stream.of(name + ":"), lines.stream()).toList();
  }

  private static List<String> table(List<String> columns, List<JsonNode> rows) {
    List<List<String>> cells = new ArrayList<>();
    cells.add(columns);
    for (JsonNode row : rows) {
      cells.add(
          IntStream.range(0, columns.size())
              .mapToObj(i ->
                  cell(
                      row.path(columns.get(i)),
                      i < columns.size() - 1 ? WIDEST_CELL : WIDEST_LAST_CELL))
              .toList());
    }
    List<Integer> widths = new ArrayList<>();
    for (int column = 0; column < columns.size(); column++) {
      int index = column;
      widths.add(cells.stream().mapToInt(line -> line.get(index).length()).max().orElse(0));
    }
    return cells.stream().map(line -> padded(line, widths)).toList();
  }

  private static String padded(List<String> line, List<Integer> widths) {
    StringBuilder padded = new StringBuilder();
    for (int i = 0; i < line.size(); i++) {
      padded.append(line.get(i)).append(" ".repeat(widths.get(i) - line.get(i).length() + 2));
    }
    return padded.toString().stripTrailing();
  }

  private static String cell(JsonNode value, int widest) {
    String line = oneLine(text(value));
    return line.length() <= widest ? line : TextExcerpt.of(line, widest - 1);
  }

  private static String text(JsonNode value) {
    return switch (value.getNodeType()) {
      case MISSING, NULL -> "-";
      case ARRAY, OBJECT, BINARY, POJO -> Json.write(value);
      case STRING, NUMBER, BOOLEAN -> value.asText();
    };
  }

  private static String oneLine(String text) {
    return text.lines().map(AnswerRendering::harmless).collect(Collectors.joining(" "));
  }

  private static String harmless(String line) {
    return line.replace("\t", "  ").replaceAll("\\p{Cntrl}|[\\u0080-\\u009f]", "\ufffd");
  }
}
