package joshua.app;

import joshua.grace.Grace;
import picocli.CommandLine.Command;

/** {@code joshua grace}: runs Grace alone. */
@Command(
    name = "grace",
    description = "Run Grace, the relay, alone, on a Redis that runs already.",
    footer = {"", "Example:", "  joshua grace --redis-url redis://localhost:6379"})
final class GraceCommand extends MadAlone {
  GraceCommand() {
    super(Grace.NAME, MadWiring::grace);
  }
}
