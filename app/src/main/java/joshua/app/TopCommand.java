package joshua.app;

import joshua.kernel.Settings;
import joshua.rogers.Rogers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code joshua top}: the current traffic, by channel and by sender. */
@Command(
    name = "top",
    description = "Show what flows on the bus now, by channel and by sender, until Ctrl-C.",
    footer = {
      "",
      "JSON is a measurement a line. Examples:",
      "  joshua top",
      "  joshua top --once",
      "  joshua top -n 5 -o json"
    })
final class TopCommand extends VerbSubcommand {
  @Option(names = "--once", description = "Show one measurement, and end.")
  private boolean once;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description = "How long one measurement takes. Default: 2")
  private @Nullable Integer seconds;

  @Option(
      names = "-n",
      paramLabel = "COUNT",
      description = "So many channels and senders. Default: 10")
  private @Nullable Integer count;

  @Override
  String mad(Settings settings) {
    return Rogers.NAME;
  }

  @Override
  VerbWords words() {
    return new VerbWords("top").flag("--once", once).option("--every", seconds).option("-n", count);
  }
}
