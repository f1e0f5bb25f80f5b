package joshua.rogers.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Pause;
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.OutputFormat;
import joshua.ssh.Screen;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code top}: what flows now, by channel and by sender. Rates are differences of the counts that
 * Rogers keeps of the hours, so that nothing is counted a second time for it.
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

  /** Rogers gives so many rows at most; who isn't among the busiest since the start isn't shown. */
  private static final int ASKED = 200;

  private final Inquiries inquiries;
  private final InstantSource time;
  private final Pause pause;

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

  TopVerb(Inquiries inquiries, InstantSource time, Pause pause) {
    this.inquiries = inquiries;
    this.time = time;
    this.pause = pause;
  }

  @Override
  public void run(Access access, Screen screen) throws VerbFailed, InterruptedException {
    Given.number("--every", seconds, 1, MOST_SECONDS);
    Given.number("-n", count, 1, MOST_ROWS);
    Instant since = time.instant();
    Measured before = measure(since, access);
    do {
      pause.pause(Duration.ofSeconds(seconds));
      Measured after = measure(since, access);
      show(Rates.between(before, after, count), screen);
      before = after;
    } while (!once && !screen.gone());
  }

  private Measured measure(Instant since, Access access) throws VerbFailed, InterruptedException {
    ObjectNode all = Json.object().put("since", since.toString());
    ObjectNode busiest = Json.object().put("since", since.toString()).put("limit", ASKED);
    return new Measured(
        Duration.ofNanos(System.nanoTime()),
        rows("messages", all, access),
        rows("channels", busiest, access),
        rows("senders", busiest, access));
  }

  private JsonNode rows(String query, ObjectNode arguments, Access access)
      throws VerbFailed, InterruptedException {
    return inquiries.query(query, arguments, access).path("rows");
  }

  private void show(Rates rates, Screen screen) {
    if (screen.format() == OutputFormat.JSON) {
      ObjectNode json = Json.object().put("at", time.instant().toString());
      screen.json(json.setAll(rates.json()));
    } else if (screen.live() && !once) {
      screen.redraw(rates.lines());
    } else {
      List<Line> lines = new ArrayList<>(rates.lines());
      if (!once) {
        lines.add(Line.of(""));
      }
      screen.lines(lines);
    }
  }
}
