package joshua.app.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StateView;
import joshua.ssh.StyledLine;
import joshua.ssh.TextTable;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code mad-state}: a part of a MAD's live state, or the list of parts. */
@Command(
    name = "mad-state",
    description = "Show a part of this MAD's live state, or which parts there are.",
    footer = {"", "Examples:", "  mad-state", "  mad-state threads -o json"})
final class MadStateVerb extends Verb {
  private final List<StateView> views;

  @Parameters(arity = "0..1", paramLabel = "WHAT", description = "Which part.")
  private String what = "";

  MadStateVerb(List<StateView> views) {
    this.views = views;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput) throws VerbFailedException {
    if (what.isEmpty()) {
      commandOutput.show(new VerbReport(parts(), () -> lines(parts())));
      return;
    }
    StateView view =
        views.stream()
            .filter(each -> each.name().equals(what))
            .findFirst()
            .orElseThrow(() ->
                VerbFailedException.misuse(
                    "there is no state \"%s\"; there is %s"
                        .formatted(
                            what,
                            views.stream()
                                .map(StateView::name)
                                .collect(Collectors.joining(", ")))));
    JsonNode state = view.json().get();
    commandOutput.show(new VerbReport(state, () -> lines(state)));
  }

  private JsonNode parts() {
    ArrayNode parts = Json.object().putArray("parts");
    views.forEach(
        view -> parts.addObject().put("what", view.name()).put("sentence", view.sentence()));
    return parts;
  }

  /** A list of objects as a table with their members as columns; an object as names and values. */
  private static List<StyledLine> lines(JsonNode state) {
    if (state.isArray()) {
      Set<String> columns = new LinkedHashSet<>();
      state.forEach(row -> row.fieldNames().forEachRemaining(columns::add));
      if (columns.isEmpty()) {
        List<StyledLine> plain = new ArrayList<>();
        state.forEach(value -> plain.add(StyledLine.of(text(value))));
        return plain.isEmpty() ? List.of(StyledLine.of("Nothing.")) : plain;
      }
      TextTable textTable =
          new TextTable(columns.stream().map(MadStateVerb::heading).toArray(String[]::new));
      state.forEach(row ->
          textTable.add(columns.stream().map(name -> text(row.path(name))).toArray(String[]::new)));
      return textTable.lines();
    }
    TextTable textTable = new TextTable("WHAT", "VALUE");
    List<StyledLine> lists = new ArrayList<>();
    state
        .properties()
        .forEach(member -> {
          if (member.getValue().isArray()) {
            lists.add(StyledLine.of(""));
            lists.add(StyledLine.of(heading(member.getKey())));
            lists.addAll(lines(member.getValue()));
          } else {
            textTable.add(member.getKey(), text(member.getValue()));
          }
        });
    List<StyledLine> lines = new ArrayList<>(textTable.lines());
    lines.addAll(lists);
    return lines;
  }

  private static String heading(String member) {
    return member.replace('_', ' ').toUpperCase(Locale.ROOT);
  }

  private static String text(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return "-";
    }
    return value.isTextual() ? value.asText() : Json.write(value);
  }

  @Override
  public List<String> candidates(List<String> before, AdminCaller adminCaller) {
    return before.isEmpty() ? views.stream().map(StateView::name).toList() : List.of();
  }
}
