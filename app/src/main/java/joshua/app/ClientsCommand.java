package joshua.app;

import joshua.grace.Grace;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code joshua clients}: the clients that receive through Grace, and the state of their queues.
 */
@Command(
    name = "clients",
    description = "List Grace's clients, or show one, and why it got its messages or didn't.",
    footer = {
      "",
      "Examples:",
      "  joshua clients",
      "  joshua clients -w",
      "  joshua clients ann",
      "  joshua clients ann why"
    })
final class ClientsCommand extends VerbSubcommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "CLIENT-ID", description = "Which one.")
  private @Nullable String client;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "why",
      description = "Say in sentences what became of its messages.")
  private @Nullable String why;

  @Option(
      names = {"-w", "--watch"},
      description = "Show the list again and again, until Ctrl-C.")
  private boolean watch;

  @Override
  String mad(Settings settings) {
    return Grace.NAME;
  }

  @Override
  VerbWords words() {
    if (client == null) {
      return new VerbWords("clients").flag("-w", watch);
    }
    VerbWords words = new VerbWords("client").flag("-w", watch).parameter(client);
    return why == null ? words : words.parameter(why);
  }
}
