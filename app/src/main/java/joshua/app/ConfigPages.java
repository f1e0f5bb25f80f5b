package joshua.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import joshua.kernel.Json;
import joshua.kernel.Setting;
import joshua.kernel.Settings;

/** The list of settings in its three forms: for a person, for a program, for the documentation. */
final class ConfigPages {
  private static final String MARKDOWN_HEAD =
      """
      # Settings

      This page is what `joshua config --markdown` prints. A setting is given, weakest first, by a line `key=value`
      in the settings file, by its environment variable, or by the flag `--key` of any subcommand; `joshua config`
      shows the values in force and where each came from. Unknown names and bad values stop the start, all of them
      reported at once. Relative paths are relative to Joshua's own directory in defaults and in the settings file,
      and to the working directory in the environment and in flags.

      | key | environment | default | unit | |
      |---|---|---|---|---|
      """;

  private static final String DOTENV_HEAD =
      """
      # Every setting as a variable of the environment; what `joshua config --dotenv` prints.
      # Copy this file to .env, take away the # before what you want to set, and have it read by
      # Docker Compose or by your shell:  set -a; . ./.env; set +a; ./joshua up
      """;

  private ConfigPages() {}

  static String text(Settings settings) {
    StringBuilder page = new StringBuilder();
    for (Setting<?> setting : settings.known()) {
      String value = settings.printable(setting);
      page.append(
          "%s = %s  (%s)%n    %s%n    %s; %s%n"
              .formatted(
                  setting.key(),
                  value,
                  value.isEmpty() ? "not set" : source(settings, setting),
                  setting.sentence(),
                  setting.environmentName(),
                  setting.unit()));
    }
    return page.toString();
  }

  static ObjectNode json(Settings settings) {
    ObjectNode page = Json.object();
    ArrayNode list = page.putArray("settings");
    for (Setting<?> setting : settings.known()) {
      String value = settings.printable(setting);
      list.addObject()
          .put("key", setting.key())
          .put("environment", setting.environmentName())
          .put("value", value.isEmpty() ? null : value)
          .put("source", value.isEmpty() ? null : source(settings, setting))
          .put("default", setting.defaultText())
          .put("unit", setting.unit())
          .put("secret", setting.secret())
          .put("sentence", setting.sentence());
    }
    return page;
  }

  static String markdown(List<Setting<?>> settings) {
    StringBuilder page = new StringBuilder(MARKDOWN_HEAD);
    for (Setting<?> setting : settings) {
      String standard = setting.defaultText();
      page.append(
          "| `%s` | `%s` | %s | %s | %s |\n"
              .formatted(
                  setting.key(),
                  setting.environmentName(),
                  standard == null ? "" : "`" + standard + "`",
                  setting.unit(),
                  setting.sentence()));
    }
    return page.toString();
  }

  static String dotenv(List<Setting<?>> settings) {
    StringBuilder page = new StringBuilder(DOTENV_HEAD);
    for (Setting<?> setting : settings) {
      String standard = setting.defaultText();
      page.append(
          "\n# %s\n# (%s)\n#%s=%s\n"
              .formatted(
                  setting.sentence(),
                  setting.unit(),
                  setting.environmentName(),
                  standard == null ? "" : standard));
    }
    return page.toString();
  }

  private static String source(Settings settings, Setting<?> setting) {
    return settings.source(setting).name().toLowerCase(Locale.ROOT);
  }
}
