package joshua.fiedler;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.TextTable;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import joshua.tasks.tool.LocalToolClient;
import picocli.CommandLine.Command;

/** The command {@code models}: which language models can be asked (REQ-FD-03). */
@Command(
    name = "models",
    description = "List the language models; the first answers what is asked of Fiedler.",
    footer = {"", "Examples:", "  models", "  models -o json"})
final class ModelsVerb extends Verb {
  private final LocalToolClient calls;

  ModelsVerb(LocalToolClient calls) {
    this.calls = calls;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    JsonNode models = calls.call("list_models", Json.object(), adminCaller).path("models");
    commandOutput.show(new VerbReport(models, () -> lines(models)));
  }

  private static List<StyledLine> lines(JsonNode models) {
    TextTable textTable = new TextTable("MODEL", "PROVIDER");
    models.forEach(
        model -> textTable.add(model.path("model").asText(), model.path("provider").asText()));
    return textTable.isEmpty()
        ? List.of(
            StyledLine.of("None is configured: what needs no model is answered all the same."))
        : textTable.lines();
  }
}
