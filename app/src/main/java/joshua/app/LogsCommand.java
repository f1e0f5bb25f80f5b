package joshua.app;

import java.nio.file.Files;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua logs}: the log of a MAD's process, or its audit. */
@Command(
    name = "logs",
    description = "Show the newest lines of the log of a MAD's process, or of its audit.",
    footer = {
      "",
      "MADs that run in one process have one log; each has an audit of its own. Examples:",
      "  joshua logs -n 20 --level warn",
      "  joshua logs -f",
      "  joshua logs rogers --correlation 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07",
      "  joshua logs grace --audit -o json"
    })
final class LogsCommand extends VerbSubcommand {
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
