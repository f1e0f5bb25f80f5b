package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Role;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code help}: what there is, and what one verb does. */
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
  public void run(Access access, Screen screen) throws VerbFailed {
    if (!verb.isEmpty()) {
      screen.text(host.usage(verb));
      return;
    }
    screen.show(new Report(json(), () -> lines(access)));
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

  private List<Line> lines(Access access) {
    Table table = new Table("VERB", "NEEDS", "WHAT IT DOES");
    for (CommandHost.Known known : host.known()) {
      boolean may = access.role().suffices(known.role());
      Style style = may ? Style.PLAIN : Style.FAINT;
      table.add(
          List.of(
              new Line.Piece(known.name(), style),
              new Line.Piece(known.role() == Role.VIEWER ? "" : known.role().word(), style),
              new Line.Piece(known.sentence(), style)));
    }
    List<Line> lines = new ArrayList<>(table.lines());
    lines.add(Line.of(""));
    lines.add(
        Line.of("VERB --help tells more; -o json gives JSON. Your role: " + access.role().word()));
    return lines;
  }

  @Override
  public List<String> candidates(List<String> before, Access access) {
    return before.isEmpty()
        ? host.known().stream().map(CommandHost.Known::name).toList()
        : List.of();
  }
}
