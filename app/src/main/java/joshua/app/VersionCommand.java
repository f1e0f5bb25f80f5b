package joshua.app;

import joshua.kernel.Settings;
import picocli.CommandLine.Command;

/** {@code joshua version}: what runs here. */
@Command(name = "version", description = "Say which Joshua and which Java this is.")
final class VersionCommand implements Subcommand {
  @Override
  public int run(Settings settings, Surroundings around) {
    around.out().println(Version.sentence());
    return 0;
  }
}
