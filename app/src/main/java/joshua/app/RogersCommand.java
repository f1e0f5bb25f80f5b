package joshua.app;

import joshua.rogers.Rogers;
import picocli.CommandLine.Command;

/** {@code joshua rogers}: runs Rogers alone. */
@Command(
    name = "rogers",
    description = "Run Rogers, the bus monitor, alone, on a Redis that runs already.",
    footer = {"", "Example:", "  joshua rogers --redis-url redis://localhost:6379"})
final class RogersCommand extends MadAlone {
  RogersCommand() {
    super(Rogers.NAME, MadWiring::rogers);
  }
}
