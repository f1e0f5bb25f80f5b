package joshua.app;

import joshua.fiedler.Fiedler;
import picocli.CommandLine.Command;

/** {@code joshua fiedler}: runs Fiedler alone. */
@Command(
    name = "fiedler",
    description = "Run Fiedler, the orchestrator, alone, on a Redis that runs already.",
    footer = {"", "Example:", "  joshua fiedler --redis-url redis://localhost:6379"})
final class FiedlerCommand extends MadAlone {
  FiedlerCommand() {
    super(Fiedler.NAME, MadWiring::fiedler);
  }
}
