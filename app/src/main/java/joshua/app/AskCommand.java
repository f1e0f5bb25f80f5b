package joshua.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code joshua ask}: sends a prompt to a MAD that answers prompts, and shows the answer as it
 * arrives.
 */
@Command(
    name = "ask",
    description = "Ask a MAD that thinks, and see its answer as it comes.",
    footer = {
      "",
      "Ctrl-C stops looking, not the task. JSON is the task's ids, then a frame of the",
      "stream a line. Examples:",
      "  joshua ask fiedler \"what failed since noon?\"",
      "  joshua ask rogers \"who is there?\"",
      "  joshua ask fiedler help -o json"
    })
final class AskCommand extends VerbSubcommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MAD",
      completionCandidates = KnownMad.ThinkingNames.class,
      description = "${COMPLETION-CANDIDATES}.")
  private @Nullable String mad;

  @Parameters(index = "1", arity = "0..*", paramLabel = "PROMPT", description = "In plain words.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--as",
      defaultValue = "cli",
      paramLabel = "ID",
      description = "Who asks: the one that \"my tasks\" means. Default: ${DEFAULT-VALUE}")
  private String requester = "cli";

  @Option(
      names = "--conversation",
      paramLabel = "UUID",
      description = "The exchange that it goes on with; the beginning of its id is enough.")
  private @Nullable String conversation;

  @Option(
      names = "--offline",
      paramLabel = "MODE",
      description =
          "Whether it may be answered without a language model: ${COMPLETION-CANDIDATES}. Default:"
              + " auto")
  private @Nullable Offline offline;

  /** When a prompt is answered without a language model. */
  enum Offline {
    AUTO,
    NEVER,
    ONLY;

    /** As typed on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    List<String> problems = new ArrayList<>();
    Optional<UUID> known =
        new KnownIds(settings).find(KnownIds.Kind.CONVERSATION, conversation, problems);
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    conversation = known.map(UUID::toString).orElse(null);
    return super.run(settings, around);
  }

  @Override
  String mad(Settings settings) {
    return String.valueOf(mad);
  }

  @Override
  VerbWords words() throws UsageException {
    List<String> problems = new ArrayList<>();
    if (mad == null) {
      problems.add("MAD is missing: joshua ask MAD PROMPT");
    } else if (words.isEmpty()) {
      problems.add("PROMPT is missing: joshua ask %s PROMPT".formatted(mad));
    }
    if (!BusIdentifiers.isIdentifier(requester)) {
      problems.add("--as " + BusIdentifiers.IDENTIFIER_RULE);
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return new VerbWords("ask")
        .option("--as", requester)
        .option("--conversation", conversation)
        .option("--offline", offline)
        .parameter(String.join(" ", words));
  }
}
