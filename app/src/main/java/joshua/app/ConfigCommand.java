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

  @Option(
      names = "--dotenv",
      description = "Print .env.example: variables and defaults, no values.")
  private boolean dotenv;

  @Override
  public boolean listens() {
    return !markdown && !dotenv;
  }

  @Override
  public int run(Settings settings, Surroundings around) {
    around.out().print(page(settings));
    return 0;
  }

  private String page(Settings settings) {
    if (markdown) {
      return ConfigPages.markdown(settings.known());
    }
    if (dotenv) {
      return ConfigPages.dotenv(settings.known());
    }
    return switch (format) {
      case TEXT -> ConfigPages.text(settings);
      case JSON -> Json.write(ConfigPages.json(settings)) + "\n";
    };
  }
}
