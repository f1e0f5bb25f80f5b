package joshua.rogers.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.Style;
import joshua.ssh.Table;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code losses}: whether messages were lost, how many, at which hop, and why (+RG-17). */
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
  private final Inquiries inquiries;
  private final InstantSource time;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "From " + Given.MOMENT + ". Default: as far back as is known")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Up to a time written likewise.")
  private @Nullable String until;

  LossesVerb(Inquiries inquiries, InstantSource time) {
    this.inquiries = inquiries;
    this.time = time;
  }

  @Override
  public void run(Access access, Screen screen) throws VerbFailed, InterruptedException {
    Instant now = time.instant();
    ObjectNode span = Json.object();
    Given.put(span, "since", "--since", since, now);
    Given.put(span, "until", "--until", until, now);
    ObjectNode json = Json.object();
    for (String query : List.of("losses", "losers", "not_seen")) {
      json.set(query, inquiries.query(query, span, access).path("rows"));
    }
    screen.show(new Report(json, () -> lines(json)));
  }

  private static List<Line> lines(JsonNode json) {
    List<Line> lines = new ArrayList<>();
    Table hops = new Table("HOP", "#LOST", "#TIMES", "LAST (UTC)", "WHY");
    for (JsonNode row : json.path("losses")) {
      if (row.path("hop").asText().equals("all")) {
        lines.add(altogether(row));
      } else {
        hops.add(
            row.path("hop").asText(),
            Shown.number(row.path("lost")),
            row.path("occasions").asText(),
            Shown.time(row.path("last_at")),
            row.path("reason").asText());
      }
    }
    add(lines, hops);
    Table losers = new Table("AT (UTC)", "CLIENT", "#MISSED", "RELAY", "WHY");
    for (JsonNode row : json.path("losers")) {
      losers.add(
          Shown.time(row.path("at")),
          row.path("participant").asText(),
          Shown.number(row.path("missed")),
          row.path("relay").asText(),
          row.path("reason").asText());
    }
    add(lines, losers);
    List<String> blind = Shown.notSeen(json.path("not_seen"));
    if (!blind.isEmpty()) {
      lines.add(Line.of(""));
      blind.forEach(sentence -> lines.add(Line.of(sentence, Style.DOUBTFUL)));
    }
    return lines;
  }

  private static void add(List<Line> lines, Table table) {
    if (!table.isEmpty()) {
      lines.add(Line.of(""));
      lines.addAll(table.lines());
    }
  }

  /** The row that sums up; nobody knows where nothing was compared and nothing found. */
  private static Line altogether(JsonNode row) {
    String reason = row.path("reason").asText();
    if (!row.path("lost").isNumber()) {
      return Line.of("Nobody knows: %s.".formatted(reason), Style.DOUBTFUL);
    }
    long lost = row.path("lost").asLong();
    return lost == 0
        ? Line.of("0 messages lost.", Style.GOOD)
        : Line.of(
            "%s lost, on %s."
                .formatted(
                    Shown.count(lost, "message"),
                    Shown.count(row.path("occasions").asLong(), "occasion")),
            Style.BAD);
  }
}
