package joshua.rogers.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import joshua.kernel.Excerpt;
import joshua.kernel.Json;
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.Table;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dead-letters}: the messages that are no envelopes (+RG-18). */
@Command(
    name = "dead-letters",
    description = "List messages that are no envelopes, newest first: where, why, how they begin.",
    footer = {"", "Examples:", "  dead-letters", "  dead-letters -n 5 --since -1h -o json"})
final class DeadLettersVerb extends Verb {
  private static final int FEW = 20;
  private static final int MOST_ROWS = 200;
  private static final int HEAD_SHOWN = 60;

  private final Inquiries inquiries;
  private final InstantSource time;

  @Option(
      names = "-n",
      paramLabel = "COUNT",
      description = "So many: 1 to " + MOST_ROWS + ". Default: " + FEW)
  private int count = FEW;

  @Option(names = "--since", paramLabel = "TIME", description = "From " + Given.MOMENT + ".")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Up to a time written likewise.")
  private @Nullable String until;

  DeadLettersVerb(Inquiries inquiries, InstantSource time) {
    this.inquiries = inquiries;
    this.time = time;
  }

  @Override
  public void run(Access access, Screen screen) throws VerbFailed, InterruptedException {
    Instant now = time.instant();
    ObjectNode arguments = Json.object().put("limit", Given.number("-n", count, 1, MOST_ROWS));
    Given.put(arguments, "since", "--since", since, now);
    Given.put(arguments, "until", "--until", until, now);
    JsonNode rows = inquiries.query("dead_letters", arguments, access).path("rows");
    screen.show(new Report(rows, () -> lines(rows)));
  }

  private static List<Line> lines(JsonNode rows) {
    Table table = new Table("AT (UTC)", "#TIMES", "#BYTES", "CHANNEL", "WHY", "BEGINS");
    for (JsonNode row : rows) {
      table.add(
          Shown.time(row.path("at")),
          row.path("messages").asText(),
          row.path("size").asText(),
          row.path("channel").asText(),
          row.path("reason").asText(),
          row.path("head").isNull()
              ? "(not for your role)"
              : Excerpt.of(row.path("head").asText(), HEAD_SHOWN));
    }
    return table.isEmpty() ? List.of(Line.of("None.")) : table.lines();
  }
}
