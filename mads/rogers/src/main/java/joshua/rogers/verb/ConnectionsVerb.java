package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminCaller;
import joshua.ssh.DurationText;
import joshua.ssh.LiveVerb;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.TextTable;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code connections}: who is or was on the bus, in what state, and why (REQ-RG-11).
 */
@Command(
    name = "connections",
    description = "Say who is on the bus, or was at a moment, in what state, and why.",
    footer = {
      "",
      "Examples:",
      "  connections",
      "  connections --all",
      "  connections --state STALE -o json",
      "  connections --at 14:05",
      "  connections -w"
    })
final class ConnectionsVerb extends LiveVerb {
  /** The states of a participant, as Rogers reports them. */
  enum State {
    HEALTHY,
    CONNECTED,
    STALE,
    DISCONNECTED
  }

  /** Participants that have been gone for longer aren't shown unless requested. */
  private static final Duration LONG_GONE = Duration.ofHours(1);

  private final RogersClient rogersClient;
  private final InstantSource time;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only those in it: ${COMPLETION-CANDIDATES}.")
  private @Nullable State state;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "Who was connected then: " + OptionValues.MOMENT + ".")
  private @Nullable String at;

  @Option(
      names = "--all",
      description = "In the table, those too who have been DISCONNECTED for more than an hour.")
  private boolean all;

  ConnectionsVerb(RogersClient rogersClient, InstantSource time, TimedWait timedWait) {
    super(timedWait);
    this.rogersClient = rogersClient;
    this.time = time;
  }

  @Override
  public VerbReport report(AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    if (at == null) {
      return now(adminCaller);
    }
    if (state != null) {
      throw VerbFailedException.misuse(
          "--state and --at exclude each other: --at has whoever was there");
    }
    Instant now = time.instant();
    Instant moment = OptionValues.moment("--at", at, now);
    if (moment.isAfter(now)) {
      throw VerbFailedException.misuse("--at must be past: nobody knows who will be connected");
    }
    return then(moment, adminCaller);
  }

  private VerbReport now(AdminCaller adminCaller) throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object();
    if (state != null) {
      input.put("status", state.name());
    }
    ObjectNode answer = rogersClient.tool("get_connections", input, adminCaller);
    JsonNode rows = answer.path("connections");
    return new VerbReport(rows, () -> lines(rows, time.instant()), DisplayText.leftOut(answer));
  }

  private List<StyledLine> lines(JsonNode rows, Instant now) {
    Instant longAgo = now.minus(LONG_GONE);
    List<JsonNode> shown = new ArrayList<>();
    for (JsonNode each : rows) {
      if (all || state != null || !isGoneSince(each, longAgo)) {
        shown.add(each);
      }
    }
    List<StyledLine> lines = new ArrayList<>(lines(shown, now));
    if (shown.size() < rows.size()) {
      lines.add(
          StyledLine.of(
              "%d more, gone for more than an hour, aren't shown; --all shows them."
                  .formatted(rows.size() - shown.size())));
    }
    return lines;
  }

  private static boolean isGoneSince(JsonNode row, Instant moment) {
    return row.path("status").asText().equals(State.DISCONNECTED.name())
        && Instant.parse(row.path("status_since").asText()).isBefore(moment);
  }

  private static List<StyledLine> lines(List<JsonNode> rows, Instant now) {
    TextTable textTable = new TextTable("PARTICIPANT", "STATE", "FOR", "LAST HEARD", "WHY");
    for (JsonNode each : rows) {
      textTable.add(
          List.of(
              plain(each.path("mad_id").asText()),
              state(each),
              plain(DurationText.of(each.path("status_since").asText(), now)),
              plain(DurationText.of(each.path("last_heartbeat").asText(), now) + " ago"),
              plain(each.path("why").asText())));
    }
    return withSums(textTable, rows);
  }

  /** The participants as they were at a moment, from the stored changes. */
  private VerbReport then(Instant moment, AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    ObjectNode answer =
        rogersClient.query(
            "connections_at", Json.object().put("at", moment.toString()), adminCaller);
    ObjectNode around =
        Json.object()
            .put("since", moment.toString())
            .put("until", moment.plus(Duration.ofMillis(1)).toString());
    JsonNode blind = rogersClient.query("not_seen", around, adminCaller).path("rows");
    List<String> remarks = new ArrayList<>(DisplayText.leftOut(answer));
    remarks.addAll(DisplayText.notSeen(blind));
    JsonNode rows = answer.path("rows");
    return new VerbReport(rows, () -> lines(moment, rows), remarks);
  }

  private static List<StyledLine> lines(Instant moment, JsonNode rows) {
    TextTable textTable = new TextTable("PARTICIPANT", "STATE", "SINCE (UTC)", "WHY");
    for (JsonNode each : rows) {
      textTable.add(
          List.of(
              plain(each.path("participant").asText()),
              state(each),
              plain(DisplayText.time(each.path("since"))),
              plain(each.path("why").asText())));
    }
    List<StyledLine> lines = new ArrayList<>();
    lines.add(StyledLine.of("At %s:".formatted(moment), TextStyle.STRONG));
    lines.addAll(withSums(textTable, rows));
    return lines;
  }

  private static List<StyledLine> withSums(TextTable textTable, Iterable<JsonNode> rows) {
    if (textTable.isEmpty()) {
      return List.of(StyledLine.of("Nobody."));
    }
    Map<State, Integer> counts = new TreeMap<>();
    rows.forEach(
        each -> counts.merge(State.valueOf(each.path("status").asText()), 1, Integer::sum));
    List<String> sums = new ArrayList<>();
    counts.forEach((each, count) -> sums.add(count + " " + each));
    List<StyledLine> lines = new ArrayList<>(textTable.lines());
    lines.add(StyledLine.of(""));
    lines.add(StyledLine.of(String.join(", ", sums)));
    return lines;
  }

  private static StyledLine.Piece plain(String text) {
    return new StyledLine.Piece(text, TextStyle.PLAIN);
  }

  private static StyledLine.Piece state(JsonNode row) {
    State state = State.valueOf(row.path("status").asText());
    TextStyle textStyle =
        switch (state) {
          case HEALTHY -> TextStyle.GOOD;
          case CONNECTED -> TextStyle.PLAIN;
          case STALE -> TextStyle.DOUBTFUL;
          case DISCONNECTED -> TextStyle.FAINT;
        };
    return new StyledLine.Piece(state.name(), textStyle);
  }
}
