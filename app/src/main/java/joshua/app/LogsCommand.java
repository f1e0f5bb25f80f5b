package joshua.app;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.ssh.PrintableText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua logs}: shows the log of a MAD's process, or its audit log. */
@Command(
    name = "logs",
    description = "Show the newest lines of the log of a MAD's process, or of its audit.",
    footer = {
      "",
      "MADs that run in one process have one log; each has an audit of its own. Examples:",
      "  joshua logs -n 20 --level warn",
      "  joshua logs -f",
      "  joshua logs --file --level error",
      "  joshua logs rogers --correlation 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07",
      "  joshua logs grace --audit -o json"
    })
final class LogsCommand extends VerbSubcommand {
  private static final int DEFAULT_COUNT = 50;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MAD",
      completionCandidates = KnownMad.Names.class,
      description = "Whose: ${COMPLETION-CANDIDATES}. Default: the first of them that runs")
  private @Nullable String mad;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with what comes, until Ctrl-C.")
  private boolean follow;

  @Option(names = "-n", paramLabel = "COUNT", description = "So many lines. Default: 50")
  private @Nullable Integer count;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "Lines that matter at least so much: trace, debug, info, warn, error.")
  private @Nullable String level;

  @Option(
      names = "--correlation",
      paramLabel = "UUID",
      description = "Lines with this correlation id alone; its beginning is enough.")
  private @Nullable String correlation;

  @Option(names = "--audit", description = "What admins did, and who wasn't let in, instead.")
  private boolean audit;

  @Option(
      names = "--file",
      description =
          "Read the group's log file, which has the lines of earlier runs, too; done anyway where nothing runs.")
  private boolean file;

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    if (file) {
      return showFile(settings, around);
    }
    try {
      return super.run(settings, around);
    } catch (ServiceUnavailableException e) {
      Path written = LogFile.in(settings.get(KnownSettings.DATA_DIR));
      if (follow || audit || mad != null || !Files.exists(written)) {
        throw e;
      }
      around.err().println("joshua: nothing runs; these lines were left in " + written);
      return showFile(settings, around);
    }
  }

  private int showFile(Settings settings, ProcessEnvironment around)
      throws IOException, UsageException {
    int most = count == null ? DEFAULT_COUNT : count;
    if (follow || audit || mad != null || most < 1 || most > LogRing.LINES) {
      throw new UsageException(
          List.of(
              "the log file is read without MAD, -f and --audit, and -n is from 1 to "
                  + LogRing.LINES));
    }
    Level least = Level.toLevel(level, Level.TRACE);
    List<JsonNode> lines =
        LogFile.newest(
            settings.get(KnownSettings.DATA_DIR),
            most,
            line ->
                Level.toLevel(line.path("level").asText()).isGreaterOrEqual(least)
                    && (correlation == null
                        || correlation.equals(line.path("correlation_id").asText())));
    lines.stream()
        .map(line -> json() ? Json.write(line) : text(line))
        .forEach(around.out()::println);
    return 0;
  }

  private static String text(JsonNode line) {
    String correlated = line.path("correlation_id").asText("");
    String thrown = line.path("exception").asText("");
    return PrintableText.text(
            "%s %-5s %s %s%s"
                .formatted(
                    line.path("at").asText(),
                    line.path("level").asText(),
                    line.path("logger").asText(),
                    line.path("message").asText(),
                    correlated.isEmpty() ? "" : "  correlation_id=" + correlated))
        + (thrown.isEmpty() ? "" : "\n" + PrintableText.lines(thrown.stripTrailing()));
  }

  @Override
  String mad(Settings settings) {
    if (mad != null) {
      return mad;
    }
    return KnownMad.names().stream()
        .filter(name -> Files.exists(AdminSockets.file(settings, name)))
        .findFirst()
        .orElse(KnownMad.names().getFirst());
  }

  @Override
  VerbWords words() {
    return new VerbWords("mad-logs")
        .flag("-f", follow)
        .option("-n", count)
        .option("--level", level)
        .option("--correlation", correlation)
        .flag("--audit", audit);
  }
}
