package joshua.horace.project;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import joshua.horace.change.Request;
import joshua.horace.project.Decisions.Standing;
import joshua.kernel.UnicodeText;
import joshua.state.Database;

/** What somebody needs to know first who begins to work on a project, in a few lines. */
public record Briefing(Database database, State state, Decisions decisions) {
  private static final int MAX_LENGTH = 2_000;
  private static final int MAX_LINE = 160;

  private static final String HAPPENED =
      """
      select * from (
        select holder || ' holds a lock on ' || path || ' since '
          || strftime('%FT%H:%M:%fZ', since / 1000.0, 'unixepoch') || coalesce(' (' || note || ')', '')
        from document_lock where project = ?1 and ended is null order by since limit 5)
      union all
      select 'Last changes (project_changes since ' || max(seq) || ' shows what comes after):'
      from change where project = ?1 having count(*) > 0
      union all
      select * from (
        select seq || ' ' || author || ': ' || action || ' ' || subject || coalesce(' (' || note || ')', '')
        from change where project = ?1 and kind <> 'lock' order by seq desc limit 10)
      """;

  /** The tool {@code project_briefing}. */
  public ObjectNode read(Request by, Request.Plain input) {
    ObjectNode current = state.current(by.project());
    String phase = current.has("phase") ? ", phase " + current.path("phase").asText() : "";
    Standing standing = decisions.standing(by, null);
    List<String> waiting =
        standing.blocked().stream()
            .map(it -> "%s for %s".formatted(it.agent(), String.join(" and ", it.missing())))
            .toList();
    List<String> lines = new ArrayList<>();
    lines.add("Project %s%s.".formatted(by.project(), phase));
    lines.add(state.priority(by));
    lines.add(listed("Pending checkpoints: ", standing.pending()));
    lines.add(listed("Waiting agents: ", waiting));
    lines.addAll(database.read(tx -> tx.rows(String.class, HAPPENED, by.project())));
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      String shown = line.lines().count() > 1 ? line : UnicodeText.truncate(line, MAX_LINE);
      if (!shown.isEmpty() && text.length() + shown.length() < MAX_LENGTH) {
        text.append(shown).append('\n');
      }
    }
    return by.answer().put("briefing", text.toString());
  }

  private static String listed(String what, List<String> all) {
    return all.isEmpty() ? "" : what + String.join(", ", all);
  }
}
