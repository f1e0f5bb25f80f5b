package joshua.app;

import joshua.kernel.Json;
import joshua.kernel.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code joshua config}: every setting with its value, and where that came from. */
@Command(
    name = "config",
    description = "Print every setting: value, where it came from, unit, meaning.",
    footer = {"", "Examples:", "  joshua config", "  joshua config --grace-port=8100 -o json"})
final class ConfigCommand implements Subcommand {
  @Mixin private FormatOption format = new FormatOption();

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
    return format.json()
        ? Json.write(ConfigPages.json(settings)) + "\n"
        : ConfigPages.text(settings);
  }
}
