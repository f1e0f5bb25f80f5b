package joshua.app.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import joshua.app.ConfigPages;
import joshua.kernel.Settings;
import joshua.ssh.Access;
import joshua.ssh.Line;
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

  @Option(names = "--set", description = "Only those that were set, by file, environment or flag.")
  private boolean set;

  MadConfigVerb(Settings settings) {
    this.settings = settings;
  }

  @Override
  public void run(Access access, Screen screen) {
    JsonNode json = ConfigPages.json(settings, each -> !set || settings.isSet(each));
    screen.show(new Report(json, () -> lines(json.path("settings"))));
  }

  private static List<Line> lines(JsonNode shown) {
    if (shown.isEmpty()) {
      return List.of(Line.of("Nothing is set: every setting has its default."));
    }
    Table table = new Table("SETTING", "SOURCE", "VALUE");
    for (JsonNode each : shown) {
      table.add(
          each.path("key").asText(),
          each.path("source").isNull() ? "-" : each.path("source").asText(),
          each.path("value").isNull() ? "-" : each.path("value").asText());
    }
    return table.lines();
  }
}
