package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import joshua.kernel.Json;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.TextTable;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code stats}: messages by hour, sender and kind of channel (REQ-RG-11, REQ-RG-15).
 */
@Command(
    name = "stats",
    description = "Count messages by UTC hour, sender and kind of channel.",
    footer = {
      "",
      "Examples:",
      "  stats",
      "  stats --hours 168 --by sender",
      "  stats --pattern mad.topic --by hour,sender -o json"
    })
final class StatsVerb extends Verb {
  private static final int DAY = 24;
  private static final int MOST_HOURS = 87_600;

  /** What counts can be summed up by. */
  enum By {
    HOUR("hour_timestamp", "HOUR (UTC)"),
    PATTERN("topic_pattern", "PATTERN"),
    SENDER("sender_id", "SENDER");

    private final String column;
    private final String heading;

    By(String column, String heading) {
      this.column = column;
      this.heading = heading;
    }

    private String cell(JsonNode row) {
      return this == HOUR ? DisplayText.time(row.path(column)) : row.path(column).asText();
    }
  }

  private final RogersClient rogersClient;

  @Option(
      names = "--hours",
      paramLabel = "COUNT",
      description = "This hour and those before it, so many in all. Default: " + DAY)
  private int hours = DAY;

  @Option(names = "--sender", paramLabel = "NAME", description = "Only what it sent.")
  private @Nullable String sender;

  @Option(
      names = "--pattern",
      paramLabel = "PATTERN",
      description =
          "Only channels of that kind: mad.direct, mad.topic, mad.broadcast, mad.stream, mad.system"
              + " or mad.other.")
  private @Nullable String pattern;

  @Option(
      names = "--by",
      split = ",",
      paramLabel = "WHAT",
      description = "Sum up by some of hour, pattern, sender. Default: by all three")
  private Set<By> by = EnumSet.allOf(By.class);

  StatsVerb(RogersClient rogersClient) {
    this.rogersClient = rogersClient;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    ObjectNode input =
        Json.object().put("hours", OptionValues.number("--hours", hours, 1, MOST_HOURS));
    if (sender != null) {
      input.put("sender_id", sender);
    }
    if (pattern != null) {
      input.put("topic_pattern", pattern);
    }
    Set<By> columns = EnumSet.copyOf(by);
    ArrayNode named = input.putArray("group_by");
    columns.forEach(each -> named.add(each.column));
    ObjectNode answer = rogersClient.tool("get_stats", input, adminCaller);
    List<String> remarks = new ArrayList<>(DisplayText.leftOut(answer));
    remarks.addAll(DisplayText.notSeen(answer.path("not_seen")));
    commandOutput.show(new VerbReport(answer, () -> lines(answer.path("stats"), columns), remarks));
  }

  private static List<StyledLine> lines(JsonNode rows, Set<By> columns) {
    if (rows.isEmpty()) {
      return List.of(StyledLine.of("Nothing was counted."));
    }
    List<String> headings = new ArrayList<>(List.of("#MESSAGES"));
    columns.forEach(each -> headings.add(each.heading));
    TextTable textTable = new TextTable(headings.toArray(String[]::new));
    long messages = 0;
    for (JsonNode row : rows) {
      messages += row.path("message_count").asLong();
      List<String> cells = new ArrayList<>(List.of(row.path("message_count").asText()));
      columns.forEach(each -> cells.add(each.cell(row)));
      textTable.add(cells.toArray(String[]::new));
    }
    List<StyledLine> lines = new ArrayList<>(textTable.lines());
    lines.add(StyledLine.of(""));
    lines.add(StyledLine.of(DisplayText.count(messages, "message")));
    return lines;
  }
}
