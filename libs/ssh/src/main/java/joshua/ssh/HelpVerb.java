package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Role;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code help}: lists the verbs, or describes one. */
@Command(
    name = "help",
    description = "Say what verbs there are, or what one of them does.",
    footer = {"", "Examples:", "  help", "  help mad-status"})
final class HelpVerb extends Verb {
  private final CommandHost host;

  @Parameters(arity = "0..1", paramLabel = "VERB", description = "Which one.")
  private String verb = "";

  HelpVerb(CommandHost host) {
    this.host = host;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput) throws VerbFailedException {
    if (!verb.isEmpty()) {
      commandOutput.text(host.usage(verb));
      return;
    }
    commandOutput.show(new VerbReport(json(), () -> lines(adminCaller)));
  }

  private JsonNode json() {
    ArrayNode all = Json.object().putArray("verbs");
    for (CommandHost.Known known : host.known()) {
      all.addObject()
          .put("verb", known.name())
          .put("sentence", known.sentence())
          .put("role", known.role().word());
    }
    return all;
  }

  private List<StyledLine> lines(AdminCaller adminCaller) {
    TextTable textTable = new TextTable("VERB", "NEEDS", "WHAT IT DOES");
    for (CommandHost.Known known : host.known()) {
      boolean may = adminCaller.role().suffices(known.role());
      TextStyle textStyle = may ? TextStyle.PLAIN : TextStyle.FAINT;
      textTable.add(
          List.of(
              new StyledLine.Piece(known.name(), textStyle),
              new StyledLine.Piece(
                  known.role() == Role.VIEWER ? "" : known.role().word(), textStyle),
              new StyledLine.Piece(known.sentence(), textStyle)));
    }
    List<StyledLine> lines = new ArrayList<>(textTable.lines());
    lines.add(StyledLine.of(""));
    lines.add(
        StyledLine.of(
            "VERB --help tells more; -o json gives JSON. Your role: " + adminCaller.role().word()));
    return lines;
  }

  @Override
  public List<String> candidates(List<String> before, AdminCaller adminCaller) {
    return before.isEmpty()
        ? host.known().stream().map(CommandHost.Known::name).toList()
        : List.of();
  }
}
