package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminCaller;
import joshua.ssh.LiveVerb;
import joshua.ssh.StyledLine;
import joshua.ssh.TextTable;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code topics}: which channels carry most, and who sends on channels of their kind;
 * who sends on a single channel isn't counted (REQ-RG-15).
 */
@Command(
    name = "topics",
    description = "Say which channels carry most, and who sends on each kind of channel.",
    footer = {"", "Examples:", "  topics", "  topics -n 50 --hours 1 -o json", "  topics -w"})
final class TopicsVerb extends LiveVerb {
  private static final int DAY = 24;
  private static final int MOST_HOURS = 87_600;
  private static final int FEW = 20;
  private static final int MOST_ROWS = 200;

  /** The number of senders listed per kind. */
  private static final int NAMED = 5;

  private final RogersClient rogersClient;
  private final InstantSource time;

  @Option(
      names = "-n",
      paramLabel = "COUNT",
      description = "So many channels: 1 to " + MOST_ROWS + ". Default: " + FEW)
  private int count = FEW;

  @Option(
      names = "--hours",
      paramLabel = "COUNT",
      description = "This hour and those before it, so many in all. Default: " + DAY)
  private int hours = DAY;

  TopicsVerb(RogersClient rogersClient, InstantSource time, TimedWait timedWait) {
    super(timedWait);
    this.rogersClient = rogersClient;
    this.time = time;
  }

  @Override
  public VerbReport report(AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    OptionValues.number("-n", count, 1, MOST_ROWS);
    OptionValues.number("--hours", hours, 1, MOST_HOURS);
    Instant since = time.instant().minus(Duration.ofHours(hours - 1L));
    ObjectNode arguments = Json.object().put("since", since.toString()).put("limit", count);
    JsonNode channels = rogersClient.query("channels", arguments, adminCaller).path("rows");
    ObjectNode input = Json.object().put("hours", hours);
    input.putArray("group_by").add("topic_pattern").add("sender_id");
    ObjectNode stats = rogersClient.tool("get_stats", input, adminCaller);
    ObjectNode json = Json.object();
    json.set("channels", channels);
    json.set("senders", stats.path("stats"));
    json.set("not_seen", stats.path("not_seen"));
    return new VerbReport(json, () -> lines(json), DisplayText.notSeen(stats.path("not_seen")));
  }

  private static List<StyledLine> lines(JsonNode json) {
    TextTable channels = new TextTable("#MESSAGES", "#BYTES", "CHANNEL");
    for (JsonNode row : json.path("channels")) {
      channels.add(
          row.path("messages").asText(), row.path("bytes").asText(), row.path("channel").asText());
    }
    if (channels.isEmpty()) {
      return List.of(StyledLine.of("Nothing was published."));
    }
    List<StyledLine> lines = new ArrayList<>(channels.lines());
    lines.add(StyledLine.of(""));
    lines.addAll(kinds(json.path("senders")).lines());
    return lines;
  }

  /** A row for each kind of channel; rows arrive with the most messages first. */
  private static TextTable kinds(JsonNode rows) {
    Map<String, List<String>> senders = new LinkedHashMap<>();
    Map<String, Long> messages = new LinkedHashMap<>();
    for (JsonNode row : rows) {
      String kind = row.path("topic_pattern").asText();
      long count = row.path("message_count").asLong();
      messages.merge(kind, count, Long::sum);
      senders
          .computeIfAbsent(kind, any -> new ArrayList<>())
          .add("%s (%d)".formatted(row.path("sender_id").asText(), count));
    }
    TextTable textTable = new TextTable("#MESSAGES", "KIND", "WHO SENDS");
    senders.forEach((kind, names) -> {
      String named = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
      String more = names.size() > NAMED ? ", and %d more".formatted(names.size() - NAMED) : "";
      textTable.add(String.valueOf(messages.get(kind)), kind, named + more);
    });
    return textTable;
  }
}
