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
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.StateView;
import joshua.ssh.Table;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mad-state}: a part of a MAD's live state, or which parts there are. */
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
  public void run(Access access, Screen screen) throws VerbFailed {
    if (what.isEmpty()) {
      screen.show(new Report(parts(), () -> lines(parts())));
      return;
    }
    StateView view =
        views.stream()
            .filter(each -> each.name().equals(what))
            .findFirst()
            .orElseThrow(() ->
                VerbFailed.misuse(
                    "there is no state \"%s\"; there is %s"
                        .formatted(
                            what,
                            views.stream()
                                .map(StateView::name)
                                .collect(Collectors.joining(", ")))));
    JsonNode state = view.json().get();
    screen.show(new Report(state, () -> lines(state)));
  }

  private JsonNode parts() {
    ArrayNode parts = Json.object().putArray("parts");
    views.forEach(
        view -> parts.addObject().put("what", view.name()).put("sentence", view.sentence()));
    return parts;
  }

  /** A list of objects as a table with their members for columns; an object as names and values. */
  private static List<Line> lines(JsonNode state) {
    if (state.isArray()) {
      Set<String> columns = new LinkedHashSet<>();
      state.forEach(row -> row.fieldNames().forEachRemaining(columns::add));
      if (columns.isEmpty()) {
        List<Line> plain = new ArrayList<>();
        state.forEach(value -> plain.add(Line.of(text(value))));
        return plain.isEmpty() ? List.of(Line.of("Nothing.")) : plain;
      }
      Table table = new Table(columns.stream().map(MadStateVerb::heading).toArray(String[]::new));
      state.forEach(row ->
          table.add(columns.stream().map(name -> text(row.path(name))).toArray(String[]::new)));
      return table.lines();
    }
    Table table = new Table("WHAT", "VALUE");
    List<Line> lists = new ArrayList<>();
    state
        .properties()
        .forEach(member -> {
          if (member.getValue().isArray()) {
            lists.add(Line.of(""));
            lists.add(Line.of(heading(member.getKey())));
            lists.addAll(lines(member.getValue()));
          } else {
            table.add(member.getKey(), text(member.getValue()));
          }
        });
    List<Line> lines = new ArrayList<>(table.lines());
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
  public List<String> candidates(List<String> before, Access access) {
    return before.isEmpty() ? views.stream().map(StateView::name).toList() : List.of();
  }
}
