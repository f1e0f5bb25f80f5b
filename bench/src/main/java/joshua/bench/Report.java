package joshua.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import joshua.kernel.Json;

/** The report of the figures, as a table for people and as JSON. */
final class Report {
  private static final String ROW = "%-32s %7s  %-15s %7s %5s %s";

  private final List<Figure> figures = new ArrayList<>();
  private final PrintStream out;

  /** Writes the table's head. */
  Report(PrintStream out) {
    this.out = out;
    out.println(machine());
    out.println();
    out.println(ROW.formatted("", "Joshua", "beside", "", "ratio", "aim").stripTrailing());
  }

  static String machine() {
    return "%s, %d processors; %s, Java %s"
        .formatted(
            processor(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name") + " " + System.getProperty("os.version"),
            Runtime.version());
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.replaceFirst(".*: *", ""))
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  /** Adds a figure, and writes its row. */
  void add(Figure figure) {
    figures.add(figure);
    out.println(
        ROW.formatted(
                figure.name(),
                number(Figure.median(figure.ours())),
                figure.peer(),
                figure.hasPeer() ? number(Figure.median(figure.theirs())) : "",
                figure.hasPeer() ? String.format(Locale.ROOT, "%.2f", figure.ratio()) : "",
                figure.aim())
            .stripTrailing());
    if (!figure.note().isEmpty()) {
      out.println("    " + figure.note());
    }
  }

  /** Notes why something wasn't measured. */
  void skip(String what, String why) {
    out.println("%s: not measured. %s".formatted(what, why));
  }

  private static String number(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%,.0f", value).replace(',', ' ')
        : String.format(Locale.ROOT, "%.2f", value);
  }

  void write(Path file) throws IOException {
    ObjectNode tree = Json.object().put("machine", machine());
    for (Figure figure : figures) {
      ObjectNode each = tree.withArray("figures").addObject().put("name", figure.name());
      figure.ours().forEach(each.putArray("joshua")::add);
      if (figure.hasPeer()) {
        each.put("beside", figure.peer()).put("ratio", figure.ratio());
        figure.theirs().forEach(each.putArray("theirs")::add);
      }
      each.put("aim", figure.aim()).put("note", figure.note());
    }
    Files.writeString(file, tree.toPrettyString() + "\n");
    out.println();
    out.println("All rounds: " + file);
  }
}
