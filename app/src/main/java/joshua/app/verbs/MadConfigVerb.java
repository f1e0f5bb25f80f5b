package joshua.app.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import joshua.app.ConfigPages;
import joshua.kernel.Settings;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.TextTable;
import joshua.ssh.Verb;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code mad-config}: the settings in force, secrets masked. */
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
  public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
    JsonNode json = ConfigPages.json(settings, each -> !set || settings.isSet(each));
    commandOutput.show(new VerbReport(json, () -> lines(json.path("settings"))));
  }

  private static List<StyledLine> lines(JsonNode shown) {
    if (shown.isEmpty()) {
      return List.of(StyledLine.of("Nothing is set: every setting has its default."));
    }
    TextTable textTable = new TextTable("SETTING", "SOURCE", "VALUE");
    for (JsonNode each : shown) {
      textTable.add(
          each.path("key").asText(),
          each.path("source").isNull() ? "-" : each.path("source").asText(),
          each.path("value").isNull() ? "-" : each.path("value").asText());
    }
    return textTable.lines();
  }
}
