package joshua.rogers.verbs;

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
import joshua.kernel.Pause;
import joshua.ssh.Access;
import joshua.ssh.Age;
import joshua.ssh.Line;
import joshua.ssh.LiveVerb;
import joshua.ssh.Report;
import joshua.ssh.Style;
import joshua.ssh.Table;
import joshua.ssh.VerbFailed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code connections}: who is on the bus, or was, in what state, and why (REQ-RG-11). */
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
  /** The states of a participant, as Rogers tells them. */
  enum State {
    HEALTHY,
    CONNECTED,
    STALE,
    DISCONNECTED
  }

  /** Who has been gone for longer than that isn't shown to people unless they ask. */
  private static final Duration LONG_GONE = Duration.ofHours(1);

  private final Inquiries inquiries;
  private final InstantSource time;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only those in it: ${COMPLETION-CANDIDATES}.")
  private @Nullable State state;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "Who was connected then: " + Given.MOMENT + ".")
  private @Nullable String at;

  @Option(
      names = "--all",
      description = "In the table, those too who have been DISCONNECTED for more than an hour.")
  private boolean all;

  ConnectionsVerb(Inquiries inquiries, InstantSource time, Pause pause) {
    super(pause);
    this.inquiries = inquiries;
    this.time = time;
  }

  @Override
  protected Report report(Access access) throws VerbFailed, InterruptedException {
    if (at == null) {
      return now(access);
    }
    if (state != null) {
      throw VerbFailed.misuse("--state and --at exclude each other: --at has whoever was there");
    }
    Instant now = time.instant();
    Instant moment = Given.moment("--at", at, now);
    if (moment.isAfter(now)) {
      throw VerbFailed.misuse("--at must be past: nobody knows who will be connected");
    }
    return then(moment, access);
  }

  private Report now(Access access) throws VerbFailed, InterruptedException {
    ObjectNode input = Json.object();
    if (state != null) {
      input.put("status", state.name());
    }
    ObjectNode answer = inquiries.tool("get_connections", input, access);
    JsonNode rows = answer.path("connections");
    return new Report(rows, () -> lines(rows, time.instant()), Shown.leftOut(answer));
  }

  private List<Line> lines(JsonNode rows, Instant now) {
    Instant longAgo = now.minus(LONG_GONE);
    List<JsonNode> shown = new ArrayList<>();
    for (JsonNode each : rows) {
      if (all || state != null || !isGoneSince(each, longAgo)) {
        shown.add(each);
      }
    }
    List<Line> lines = new ArrayList<>(lines(shown, now));
    if (shown.size() < rows.size()) {
      lines.add(
          Line.of(
              "%d more, gone for more than an hour, aren't shown; --all shows them."
                  .formatted(rows.size() - shown.size())));
    }
    return lines;
  }

  private static boolean isGoneSince(JsonNode row, Instant moment) {
    return row.path("status").asText().equals(State.DISCONNECTED.name())
        && Instant.parse(row.path("status_since").asText()).isBefore(moment);
  }

  private static List<Line> lines(List<JsonNode> rows, Instant now) {
    Table table = new Table("PARTICIPANT", "STATE", "FOR", "LAST HEARD", "WHY");
    for (JsonNode each : rows) {
      table.add(
          List.of(
              plain(each.path("mad_id").asText()),
              state(each),
              plain(Age.of(each.path("status_since").asText(), now)),
              plain(Age.of(each.path("last_heartbeat").asText(), now) + " ago"),
              plain(each.path("why").asText())));
    }
    return withSums(table, rows);
  }

  /** As it was at a moment, from the changes that are kept. */
  private Report then(Instant moment, Access access) throws VerbFailed, InterruptedException {
    ObjectNode answer =
        inquiries.query("connections_at", Json.object().put("at", moment.toString()), access);
    ObjectNode around =
        Json.object()
            .put("since", moment.toString())
            .put("until", moment.plus(Duration.ofMillis(1)).toString());
    JsonNode blind = inquiries.query("not_seen", around, access).path("rows");
    List<String> remarks = new ArrayList<>(Shown.leftOut(answer));
    remarks.addAll(Shown.notSeen(blind));
    JsonNode rows = answer.path("rows");
    return new Report(rows, () -> lines(moment, rows), remarks);
  }

  private static List<Line> lines(Instant moment, JsonNode rows) {
    Table table = new Table("PARTICIPANT", "STATE", "SINCE (UTC)", "WHY");
    for (JsonNode each : rows) {
      table.add(
          List.of(
              plain(each.path("participant").asText()),
              state(each),
              plain(Shown.time(each.path("since"))),
              plain(each.path("why").asText())));
    }
    List<Line> lines = new ArrayList<>();
    lines.add(Line.of("At %s:".formatted(moment), Style.STRONG));
    lines.addAll(withSums(table, rows));
    return lines;
  }

  private static List<Line> withSums(Table table, Iterable<JsonNode> rows) {
    if (table.isEmpty()) {
      return List.of(Line.of("Nobody."));
    }
    Map<State, Integer> counts = new TreeMap<>();
    rows.forEach(
        each -> counts.merge(State.valueOf(each.path("status").asText()), 1, Integer::sum));
    List<String> sums = new ArrayList<>();
    counts.forEach((each, count) -> sums.add(count + " " + each));
    List<Line> lines = new ArrayList<>(table.lines());
    lines.add(Line.of(""));
    lines.add(Line.of(String.join(", ", sums)));
    return lines;
  }

  private static Line.Piece plain(String text) {
    return new Line.Piece(text, Style.PLAIN);
  }

  private static Line.Piece state(JsonNode row) {
    State state = State.valueOf(row.path("status").asText());
    Style style =
        switch (state) {
          case HEALTHY -> Style.GOOD;
          case CONNECTED -> Style.PLAIN;
          case STALE -> Style.DOUBTFUL;
          case DISCONNECTED -> Style.FAINT;
        };
    return new Line.Piece(state.name(), style);
  }
}
