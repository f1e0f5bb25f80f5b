package joshua.app;

import joshua.kernel.Json;
import joshua.kernel.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code joshua version}: prints the versions of what runs here. */
@Command(
    name = "version",
    description = "Say which Joshua and which Java this is.",
    footer = {"", "Examples:", "  joshua version", "  joshua version -o json"})
final class VersionCommand implements Subcommand {
  @Mixin private FormatOption format = new FormatOption();

  @Override
  public int run(Settings settings, ProcessEnvironment around) {
    around.out().println(format.json() ? Json.write(BuildVersion.json()) : BuildVersion.sentence());
    return 0;
  }
}
