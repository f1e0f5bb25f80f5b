package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.TextExcerpt;
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

/** The command {@code dead-letters}: the messages that weren't envelopes (+RG-18). */
@Command(
    name = "dead-letters",
    description = "List messages that are no envelopes, newest first: where, why, how they begin.",
    footer = {"", "Examples:", "  dead-letters", "  dead-letters -n 5 --since -1h -o json"})
final class DeadLettersVerb extends Verb {
  private static final int FEW = 20;
  private static final int MOST_ROWS = 200;
  private static final int HEAD_SHOWN = 60;

  private final RogersClient rogersClient;
  private final InstantSource time;

  @Option(
      names = "-n",
      paramLabel = "COUNT",
      description = "So many: 1 to " + MOST_ROWS + ". Default: " + FEW)
  private int count = FEW;

  @Option(names = "--since", paramLabel = "TIME", description = "From " + OptionValues.MOMENT + ".")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Up to a time written likewise.")
  private @Nullable String until;

  DeadLettersVerb(RogersClient rogersClient, InstantSource time) {
    this.rogersClient = rogersClient;
    this.time = time;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    Instant now = time.instant();
    ObjectNode arguments =
        Json.object().put("limit", OptionValues.number("-n", count, 1, MOST_ROWS));
    OptionValues.put(arguments, "since", "--since", since, now);
    OptionValues.put(arguments, "until", "--until", until, now);
    JsonNode rows = rogersClient.query("dead_letters", arguments, adminCaller).path("rows");
    commandOutput.show(new VerbReport(rows, () -> lines(rows)));
  }

  private static List<StyledLine> lines(JsonNode rows) {
    TextTable textTable = new TextTable("AT (UTC)", "#TIMES", "#BYTES", "CHANNEL", "WHY", "BEGINS");
    for (JsonNode row : rows) {
      textTable.add(
          DisplayText.time(row.path("at")),
          row.path("messages").asText(),
          row.path("size").asText(),
          row.path("channel").asText(),
          row.path("reason").asText(),
          row.path("head").isNull()
              ? "(not for your role)"
              : TextExcerpt.of(row.path("head").asText(), HEAD_SHOWN));
    }
    return textTable.isEmpty() ? List.of(StyledLine.of("None.")) : textTable.lines();
  }
}
