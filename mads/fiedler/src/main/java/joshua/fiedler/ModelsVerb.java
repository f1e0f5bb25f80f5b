package joshua.fiedler;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.Table;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import joshua.tasks.VerbCalls;
import picocli.CommandLine.Command;

/** {@code models}: which language models can be asked (REQ-FD-03). */
@Command(
    name = "models",
    description = "List the language models; the first answers what is asked of Fiedler.",
    footer = {"", "Examples:", "  models", "  models -o json"})
final class ModelsVerb extends Verb {
  private final VerbCalls calls;

  ModelsVerb(VerbCalls calls) {
    this.calls = calls;
  }

  @Override
  public void run(Access access, Screen screen) throws VerbFailed, InterruptedException {
    JsonNode models = calls.call("list_models", Json.object(), access).path("models");
    screen.show(new Report(models, () -> lines(models)));
  }

  private static List<Line> lines(JsonNode models) {
    Table table = new Table("MODEL", "PROVIDER");
    models.forEach(
        model -> table.add(model.path("model").asText(), model.path("provider").asText()));
    return table.isEmpty()
        ? List.of(Line.of("None is configured: what needs no model is answered all the same."))
        : table.lines();
  }
}
