package joshua.app;

import joshua.kernel.Json;
import joshua.kernel.LimitTable;
import joshua.kernel.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code joshua config}: every setting with its value and its source. */
@Command(
    name = "config",
    description = "Print every setting: value, where it came from, unit, meaning.",
    footer = {
      "",
      "Examples:",
      "  joshua config",
      "  joshua config --grace-port=8100 -o json",
      "  joshua config --limits"
    })
final class ConfigCommand implements Subcommand {
  @Mixin private FormatOption format = new FormatOption();

  @Option(
      names = "--markdown",
      description = "Print docs/operating/configuration.md, or with --limits limits.md: no values.")
  private boolean markdown;

  @Option(
      names = "--dotenv",
      description = "Print .env.example: variables and defaults, no values.")
  private boolean dotenv;

  @Option(
      names = "--limits",
      description = "Print every limit instead: what it bounds, its memory, what happens beyond.")
  private boolean limits;

  @Override
  public boolean listens() {
    return !markdown && !dotenv;
  }

  @Override
  public int run(Settings settings, ProcessEnvironment around)
      throws Settings.InvalidSettingsException {
    around.out().print(limits ? limits(settings) : page(settings));
    return 0;
  }

  private String limits(Settings settings) throws Settings.InvalidSettingsException {
    if (markdown) {
      return LimitCatalog.markdown(LimitCatalog.ofTheUsualHeap(settings));
    }
    LimitTable table = LimitCatalog.ofTheGroup(settings);
    return format.json() ? Json.write(LimitCatalog.json(table)) + "\n" : LimitCatalog.text(table);
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
