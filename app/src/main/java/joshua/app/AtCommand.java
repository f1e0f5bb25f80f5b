package joshua.app;

import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code joshua at}: runs any command of any MAD, as over SSH (REQ-JS-03, +JS-07). */
@Command(
    name = "at",
    description = "Have a MAD that runs here carry out one of its verbs, as by SSH.",
    footer = {
      "",
      "Everything behind MAD goes to the verb as it is; settings stand before it. Examples:",
      "  joshua at grace help",
      "  joshua at rogers losses --help",
      "  joshua at fiedler mad-status -o json",
      "  joshua at grace drop ann"
    })
final class AtCommand implements Subcommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MAD",
      completionCandidates = KnownMad.Names.class,
      description = "Whose verb: ${COMPLETION-CANDIDATES}.")
  private @Nullable String mad;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "VERB",
      description = "The verb with its words; help lists the verbs.")
  private List<String> words = new ArrayList<>();

  @Override
  public boolean takesTheRest() {
    return true;
  }

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    if (mad == null || words.isEmpty()) {
      throw new UsageException(
          List.of("MAD and VERB are needed: joshua at MAD help lists the verbs"));
    }
    return new RemoteVerb(settings, around).run(mad, words);
  }
}
