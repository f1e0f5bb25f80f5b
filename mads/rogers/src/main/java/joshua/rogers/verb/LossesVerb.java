package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.TextTable;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code losses}: whether messages were lost, how many, at which hop, and why (+RG-17).
 */
@Command(
    name = "losses",
    description = "Say whether messages were lost, how many, at which hop, and why.",
    footer = {
      "",
      "The first line is the whole. Examples:",
      "  losses",
      "  losses --since 14:00 --until 15:00",
      "  losses --since -1h -o json"
    })
final class LossesVerb extends Verb {
  private final RogersClient rogersClient;
  private final InstantSource time;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "From " + OptionValues.MOMENT + ". Default: as far back as is known")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Up to a time written likewise.")
  private @Nullable String until;

  LossesVerb(RogersClient rogersClient, InstantSource time) {
    this.rogersClient = rogersClient;
    this.time = time;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    Instant now = time.instant();
    ObjectNode span = Json.object();
    OptionValues.put(span, "since", "--since", since, now);
    OptionValues.put(span, "until", "--until", until, now);
    ObjectNode json = Json.object();
    for (String query : List.of("losses", "losers", "not_seen")) {
      json.set(query, rogersClient.query(query, span, adminCaller).path("rows"));
    }
    commandOutput.show(new VerbReport(json, () -> lines(json)));
  }

  private static List<StyledLine> lines(JsonNode json) {
    List<StyledLine> lines = new ArrayList<>();
    TextTable hops = new TextTable("HOP", "#LOST", "#TIMES", "LAST (UTC)", "WHY");
    for (JsonNode row : json.path("losses")) {
      if (row.path("hop").asText().equals("all")) {
        lines.add(altogether(row));
      } else {
        hops.add(
            row.path("hop").asText(),
            DisplayText.number(row.path("lost")),
            row.path("occasions").asText(),
            DisplayText.time(row.path("last_at")),
            row.path("reason").asText());
      }
    }
    add(lines, hops);
    TextTable losers = new TextTable("AT (UTC)", "CLIENT", "#MISSED", "RELAY", "WHY");
    for (JsonNode row : json.path("losers")) {
      losers.add(
          DisplayText.time(row.path("at")),
          row.path("participant").asText(),
          DisplayText.number(row.path("missed")),
          row.path("relay").asText(),
          row.path("reason").asText());
    }
    add(lines, losers);
    List<String> blind = DisplayText.notSeen(json.path("not_seen"));
    if (!blind.isEmpty()) {
      lines.add(StyledLine.of(""));
      blind.forEach(sentence -> lines.add(StyledLine.of(sentence, TextStyle.DOUBTFUL)));
    }
    return lines;
  }

  private static void add(List<StyledLine> lines, TextTable textTable) {
    if (!textTable.isEmpty()) {
      lines.add(StyledLine.of(""));
      lines.addAll(textTable.lines());
    }
  }

  /** The summary row; unknown where nothing was compared and nothing found. */
  private static StyledLine altogether(JsonNode row) {
    String reason = row.path("reason").asText();
    if (!row.path("lost").isNumber()) {
      return StyledLine.of("Nobody knows: %s.".formatted(reason), TextStyle.DOUBTFUL);
    }
    long lost = row.path("lost").asLong();
    return lost == 0
        ? StyledLine.of("0 messages lost.", TextStyle.GOOD)
        : StyledLine.of(
            "%s lost, on %s."
                .formatted(
                    DisplayText.count(lost, "message"),
                    DisplayText.count(row.path("occasions").asLong(), "occasion")),
            TextStyle.BAD);
  }
}
