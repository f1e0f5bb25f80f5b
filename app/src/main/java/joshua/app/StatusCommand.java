package joshua.app;

import joshua.kernel.Settings;
import joshua.rogers.Rogers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code joshua status}: participants on the bus, their states, and why (REQ-RG-11). */
@Command(
    name = "status",
    description = "Say who is on the bus, in what state, and why.",
    footer = {
      "",
      "Examples:",
      "  joshua status",
      "  joshua status --all",
      "  joshua status -w",
      "  joshua status --state STALE -o json",
      "  joshua status --at 14:05"
    })
final class StatusCommand extends VerbSubcommand {
  /** The states of a participant, as Rogers reports them. */
  enum State {
    CONNECTED,
    HEALTHY,
    STALE,
    DISCONNECTED
  }

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only those in it: ${COMPLETION-CANDIDATES}.")
  private @Nullable State state;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "Who was there then: 14:05, -10m, or an instant.")
  private @Nullable String at;

  @Option(
      names = "--all",
      description = "Those too who have been DISCONNECTED for more than an hour.")
  private boolean all;

  @Option(
      names = {"-w", "--watch"},
      description = "Show it again and again, until Ctrl-C.")
  private boolean watch;

  @Override
  String mad(Settings settings) {
    return Rogers.NAME;
  }

  @Override
  VerbWords words() {
    return new VerbWords("connections")
        .option("--state", state)
        .option("--at", at)
        .flag("--all", all)
        .flag("-w", watch);
  }
}
