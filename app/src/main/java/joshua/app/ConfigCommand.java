package joshua.app;

import joshua.kernel.Json;
import joshua.kernel.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code joshua config}: every setting with its value, and where that came from. */
@Command(
    name = "config",
    description = "Print every setting: value, where it came from, unit, meaning.")
final class ConfigCommand implements Subcommand {
  @Option(names = "-o", description = "text or json.")
  private OutputFormat format = OutputFormat.TEXT;

  @Option(
      names = "--markdown",
      description = "Print docs/operating/configuration.md: names and defaults, no values.")
  private boolean markdown;

  @Override
  public boolean listens() {
    return !markdown;
  }

  @Override
  public int run(Settings settings, Surroundings around) {
    String page =
        markdown
            ? ConfigPages.markdown(settings.known())
            : switch (format) {
              case TEXT -> ConfigPages.text(settings);
              case JSON -> Json.write(ConfigPages.json(settings)) + "\n";
            };
    around.out().print(page);
    return 0;
  }
}
