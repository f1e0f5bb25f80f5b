package joshua.horace.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import joshua.horace.change.Answer;
import joshua.horace.change.Request;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.kernel.UnicodeText;
import joshua.network.ToolResult;
import joshua.state.Database;
import org.jspecify.annotations.Nullable;

/** What somebody needs to know first who begins to work on a project, in a few lines. */
public record Briefing(Database database, State state, Decisions decisions) {
  private static final int MAX_LENGTH = 2_000;
  private static final int MAX_LINE = 160;

  private record Held(String path, String holder, Instant since, @Nullable String note) {}

  private record Change(
      long seq, String author, String action, String subject, @Nullable String note) {}

  /** The tool {@code project_briefing}. */
  public ToolResult read(Request by, State.Plain input) {
    List<String> lines = new ArrayList<>();
    ObjectNode current = state.current(by.project());
    lines.add(
        "Project %s%s."
            .formatted(
                by.project(),
                current.has("phase") ? ", phase " + current.path("phase").asText() : ""));
    lines.add(state.priority(by));
    ObjectNode standing = decisions.standing(by);
    lines.add(
        listed(
            "Pending checkpoints: ",
            standing.path("pending").valueStream().map(JsonNode::asText).toList()));
    lines.add(
        listed(
            "Waiting agents: ",
            standing
                .path("blocked")
                .valueStream()
                .map(it ->
                    "%s for %s"
                        .formatted(
                            it.path("agent").asText(),
                            it.path("missing")
                                .valueStream()
                                .map(JsonNode::asText)
                                .collect(Collectors.joining(" and "))))
                .toList()));
    database.read(tx -> {
      tx.rows(
              Held.class,
              """
              select path, holder, since, note from document_lock
              where project = ? and ended is null order by since limit 5
              """,
              by.project())
          .forEach(it ->
              lines.add(
                  "%s holds a lock on %s since %s%s."
                      .formatted(
                          it.holder(),
                          it.path(),
                          Timestamps.format(it.since()),
                          noted(it.note()))));
      List<Change> changes =
          tx.rows(
              Change.class,
              """
              select seq, author, action, subject, note from change
              where project = ? and kind <> 'lock' order by seq desc limit 10
              """,
              by.project());
      if (!changes.isEmpty()) {
        lines.add(
            "Last changes (project_changes since %d shows what comes after):"
                .formatted(changes.getFirst().seq()));
      }
      changes.forEach(it ->
          lines.add(
              "%d %s: %s %s%s"
                  .formatted(it.seq(), it.author(), it.action(), it.subject(), noted(it.note()))));
      return lines;
    });
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      String shown = line.lines().count() > 1 ? line : UnicodeText.truncate(line, MAX_LINE);
      if (!shown.isEmpty() && text.length() + shown.length() < MAX_LENGTH) {
        text.append(shown).append('\n');
      }
    }
    return Answer.of(Json.object().put("project", by.project()).put("briefing", text.toString()));
  }

  private static String listed(String what, List<String> all) {
    return all.isEmpty() ? "" : what + String.join(", ", all);
  }

  private static String noted(@Nullable String note) {
    return note == null ? "" : " (%s)".formatted(note);
  }
}
