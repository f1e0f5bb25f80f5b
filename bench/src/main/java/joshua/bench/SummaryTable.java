package joshua.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Formats summaries as a Markdown table, with columns of equal width so that the source is
 * readable.
 */
final class SummaryTable {
  private SummaryTable() {}

  static String of(List<FigureSummary> summaries) {
    boolean paired = summaries.stream().anyMatch(summary -> summary.ratio().isPresent());
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        paired
            ? List.of("scenario", "figure", "this build", "other build", "ratio")
            : List.of("scenario", "figure", "this build"));
    for (FigureSummary summary : summaries) {
      List<String> row = new ArrayList<>();
      row.add(summary.scenario());
      row.add(summary.figure());
      row.add(range(summary.thisBuild()));
      if (paired) {
        row.add(summary.otherBuild().map(SummaryTable::range).orElse(""));
        row.add(ratio(summary.ratio()));
      }
      rows.add(row);
    }
    return table(rows);
  }

  private static String ratio(Optional<SampleRange> ratio) {
    return ratio
        .map(range ->
            String.format(
                Locale.ROOT, "%.2f (%.2f–%.2f)", range.median(), range.min(), range.max()))
        .orElse("");
  }

  private static String range(SampleRange range) {
    return "%s (%s–%s)".formatted(number(range.median()), number(range.min()), number(range.max()));
  }

  /** About three digits: more would be noise. */
  static String number(double value) {
    if (value >= 100) {
      double unit = Math.pow(10, Math.floor(Math.log10(value)) - 2);
      return String.format(Locale.ROOT, "%,.0f", Math.round(value / unit) * unit);
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }

  private static String table(List<List<String>> rows) {
    List<Integer> widths =
        IntStream.range(0, rows.getFirst().size())
            .mapToObj(
                column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toList();
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(
          IntStream.range(0, row.size())
              .mapToObj(column -> padded(row.get(column), widths.get(column)))
              .collect(Collectors.joining(" | ", "| ", " |")));
    }
    lines.add(
        1,
        widths.stream()
            .map(width -> "-".repeat(width + 2))
            .collect(Collectors.joining("|", "|", "|")));
    return String.join("\n", lines);
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}
