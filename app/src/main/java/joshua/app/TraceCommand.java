package joshua.app;

import java.util.List;
import joshua.kernel.Settings;
import joshua.rogers.Rogers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua trace}: the path of one request across the group, from Rogers' journal. */
@Command(
    name = "trace",
    description = "Show the path of one request across the group, message by message.",
    footer = {
      "",
      "The journal has neither streams nor mad.system.*. Examples:",
      "  joshua trace 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07",
      "  joshua trace --conversation 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07 -o json"
    })
final class TraceCommand extends VerbSubcommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CORRELATION-ID",
      description = "Of the request.")
  private @Nullable String correlation;

  @Option(
      names = "--conversation",
      paramLabel = "UUID",
      description = "A whole exchange by its conversation_id instead.")
  private @Nullable String conversation;

  @Override
  String mad(Settings settings) {
    return Rogers.NAME;
  }

  @Override
  VerbWords words() throws UsageException {
    if ((correlation == null) == (conversation == null)) {
      throw new UsageException(
          List.of("one of CORRELATION-ID and --conversation is needed: joshua trace UUID"));
    }
    VerbWords words = new VerbWords("trace").option("--conversation", conversation);
    return correlation == null ? words : words.parameter(correlation);
  }
}
