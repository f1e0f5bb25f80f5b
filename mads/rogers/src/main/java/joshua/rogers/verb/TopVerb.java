package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.OutputFormat;
import joshua.ssh.StyledLine;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code top}: the current traffic, by channel and by sender. Rates are differences of
 * the counts that Rogers keeps per hour, so that nothing is counted a second time.
 */
@Command(
    name = "top",
    description = "Show what flows on the bus now, by channel and by sender, until it is stopped.",
    footer = {"", "Examples:", "  top", "  top --once", "  top -n 5 -o json"})
final class TopVerb extends Verb {
  private static final int MOST_ROWS = 50;
  private static final int MOST_SECONDS = 60;
  private static final int SECONDS = 2;
  private static final int FEW = 10;

  /**
   * Rogers returns this many rows at most; names that aren't among the busiest since the start
   * aren't shown.
   */
  private static final int ASKED = 200;

  private final RogersClient rogersClient;
  private final InstantSource time;
  private final TimedWait timedWait;

  @Option(names = "--once", description = "Show one measurement, and end.")
  private boolean once;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description =
          "How long one measurement takes: 1 to " + MOST_SECONDS + ". Default: " + SECONDS)
  private int seconds = SECONDS;

  @Option(
      names = "-n",
      paramLabel = "COUNT",
      description = "So many channels and senders: 1 to " + MOST_ROWS + ". Default: " + FEW)
  private int count = FEW;

  TopVerb(RogersClient rogersClient, InstantSource time, TimedWait timedWait) {
    this.rogersClient = rogersClient;
    this.time = time;
    this.timedWait = timedWait;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    OptionValues.number("--every", seconds, 1, MOST_SECONDS);
    OptionValues.number("-n", count, 1, MOST_ROWS);
    Instant since = time.instant();
    TrafficSnapshot before = measure(since, adminCaller);
    do {
      timedWait.pause(Duration.ofSeconds(seconds));
      TrafficSnapshot after = measure(since, adminCaller);
      show(TrafficRates.between(before, after, count), commandOutput);
      before = after;
    } while (!once && !commandOutput.gone());
  }

  private TrafficSnapshot measure(Instant since, AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    ObjectNode all = Json.object().put("since", since.toString());
    ObjectNode busiest = Json.object().put("since", since.toString()).put("limit", ASKED);
    return new TrafficSnapshot(
        Duration.ofNanos(System.nanoTime()),
        rows("messages", all, adminCaller),
        rows("channels", busiest, adminCaller),
        rows("senders", busiest, adminCaller));
  }

  private JsonNode rows(String query, ObjectNode arguments, AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    return rogersClient.query(query, arguments, adminCaller).path("rows");
  }

  private void show(TrafficRates trafficRates, CommandOutput commandOutput) {
    if (commandOutput.format() == OutputFormat.JSON) {
      ObjectNode json = Json.object().put("at", time.instant().toString());
      commandOutput.json(json.setAll(trafficRates.json()));
    } else if (commandOutput.live() && !once) {
      commandOutput.redraw(trafficRates.lines());
    } else {
      List<StyledLine> lines = new ArrayList<>(trafficRates.lines());
      if (!once) {
        lines.add(StyledLine.of(""));
      }
      commandOutput.lines(lines);
    }
  }
}
