package joshua.app.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import joshua.app.ConfigPages;
import joshua.kernel.Settings;
import joshua.ssh.Access;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.Table;
import joshua.ssh.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mad-config}: the settings in force, secrets masked. */
@Command(
    name = "mad-config",
    description = "Show the settings in force and where each came from; secrets are masked.",
    footer = {"", "Examples:", "  mad-config", "  mad-config --set", "  mad-config -o json"})
final class MadConfigVerb extends Verb {
  private final Settings settings;

  @Option(names = "--set", description = "In the table, only those that aren't defaults.")
  private boolean set;

  MadConfigVerb(Settings settings) {
    this.settings = settings;
  }

  @Override
  public void run(Access access, Screen screen) {
    JsonNode json = ConfigPages.json(settings);
    screen.show(
        new Report(
            json,
            () -> {
              Table table = new Table("SETTING", "SOURCE", "VALUE");
              for (JsonNode each : json.path("settings")) {
                String source = each.path("source").asText("-");
                if (!set || !(source.equals("default") || source.equals("null"))) {
                  table.add(
                      each.path("key").asText(),
                      each.path("source").isNull() ? "-" : source,
                      each.path("value").isNull() ? "-" : each.path("value").asText());
                }
              }
              return table.lines();
            }));
  }
}
