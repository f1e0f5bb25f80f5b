package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import joshua.kernel.Timestamps;

/** The output of a verb: lines for people, or JSON for programs, flushed line by line. */
public final class VerbOutput {
  private static final Pattern TIME =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[.][0-9]{3}Z");

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

  /** A text for people; where it goes to no terminal, as it is but for control characters. */
  public void text(String text) {
    if (terminal.columns() > 0) {
      text.lines().forEach(this::line);
    } else if (!json) {
      terminal.out().print(PrintableText.plain(text));
      terminal.out().flush();
    }
  }

  /** A line of JSON for programs. */
  public void json(JsonNode value) {
    if (json) {
      write(terminal.out(), value.toString());
    }
  }

  /** A sentence for people, on several lines where the terminal is too narrow. */
  public void sentence(String text) {
    int columns = terminal.columns();
    TextTable.wrapped(PrintableText.of(text), columns, Integer.MAX_VALUE).forEach(this::line);
  }

  /**
   * Shows a list of objects: for people as a table, fitted to the terminal, for programs as an
   * array of whole objects.
   *
   * @param columns the members to show, the longest last, which gets the room that is left
   */
  public void rows(List<String> columns, JsonNode rows) {
    json(rows);
    if (rows.isEmpty()) {
      line("There are none.");
    }
    table(columns, rows);
  }

  /** An answer: for people its sentence, the table of a list in it, and its caveats. */
  public void answer(JsonNode answer, String list, List<String> columns) {
    json(answer);
    if (answer.has("sentence")) {
      sentence(answer.path("sentence").asText());
    }
    table(columns, answer.path(list));
    answer.path("caveats").forEach(caveat -> sentence(caveat.asText()));
  }

  /**
   * The same for people alone. Times are UTC, and have their age; it is enough if room is short.
   */
  public void table(List<String> columns, JsonNode rows) {
    if (!json && !rows.isEmpty()) {
      List<List<String>> whole = cells(columns, rows, true);
      boolean fits = TextTable.fits(whole, terminal.columns());
      List<List<String>> table = fits ? whole : cells(columns, rows, false);
      TextTable.lines(table, terminal.columns(), terminal.coloured())
          .forEach(terminal.out()::println);
      terminal.out().flush();
    }
  }

  private static List<List<String>> cells(List<String> columns, JsonNode rows, boolean withTimes) {
    Instant now = Instant.now();
    List<List<String>> table = new ArrayList<>();
    table.add(columns.stream().map(VerbOutput::heading).toList());
    for (JsonNode row : rows) {
      table.add(
          columns.stream()
              .map(column -> cell(column, row.path(column), now, withTimes).replace('\t', ' '))
              .map(PrintableText::of)
              .toList());
    }
    return table;
  }

  /** {@code last poll} for {@code last_poll_at}. */
  private static String heading(String member) {
    return member.replaceFirst("_(at|id)$", "").replace('_', ' ');
  }

  private static String cell(String column, JsonNode value, Instant now, boolean withTimes) {
    if (value.isMissingNode() || value.isNull() || (value.isArray() && value.isEmpty())) {
      return "-";
    }
    String text = value.isValueNode() ? value.asText() : value.toString();
    if (value.isArray()) {
      return text.substring(1, text.length() - 1).replace("\"", "").replace(",", ", ");
    }
    Instant time = Timestamps.parse(text);
    return switch (column) {
      case "what", "kind" -> text.replace('_', ' ');
      case "task_id" -> text.replaceFirst(".*(.{8})$", "$1"); // of one minute, they begin alike
      default ->
          time == null
              ? TIME.matcher(text).replaceAll(found -> time(Instant.parse(found.group()), now))
              : (withTimes ? time(time, now) + ", " : "") + ago(time, now);
    };
  }

  private static String ago(Instant then, Instant now) {
    Duration past = Duration.between(then, now).abs();
    String age =
        past.toDays() > 0
            ? past.toDays() + " d"
            : past.toHours() > 0
                ? past.toHours() + " h"
                : past.toMinutes() > 0 ? past.toMinutes() + " min" : past.toSeconds() + " s";
    return then.isAfter(now) ? "in " + age : age + " ago";
  }

  /** To the second, and without the day if that is today. */
  private static String time(Instant time, Instant now) {
    String whole = time.truncatedTo(ChronoUnit.SECONDS).toString(); // 2026-01-31T14:30:00Z
    boolean today = whole.startsWith(now.toString().substring(0, 10));
    return today ? whole.substring(11) : whole.substring(5).replace('T', ' ');
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
