package joshua.tasks.verb;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import joshua.kernel.Json;
import joshua.ssh.DurationText;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;

/**
 * A task's full state for people: one member per line, including those of its result or its error.
 */
final class TaskPage {
  /** The members that are expanded one level. */
  private static final Set<String> OPENED = Set.of("result_payload", "error_details");

  private static final int NAME_COLUMNS = 16;

  private final Instant now;
  private final List<StyledLine> lines = new ArrayList<>();

  private TaskPage(Instant now) {
    this.now = now;
  }

  static List<StyledLine> lines(JsonNode task, Instant now) {
    TaskPage page = new TaskPage(now);
    task.properties().forEach(page::member);
    return page.lines;
  }

  private void member(Map.Entry<String, JsonNode> member) {
    JsonNode value = member.getValue();
    if (value.isNull()) {
      return;
    }
    if (value.isObject() && OPENED.contains(member.getKey())) {
      value.properties().forEach(this::member);
      return;
    }
    String text = value.isTextual() ? value.asText() : Json.write(value);
    String name = member.getKey();
    if (name.endsWith("_at")) {
      add(name, "%s (%s ago)".formatted(text, DurationText.of(text, now)), TextStyle.PLAIN);
    } else {
      add(name, text, name.equals("status") ? TasksVerb.style(text) : TextStyle.PLAIN);
    }
  }

  private void add(String name, String text, TextStyle textStyle) {
    String before = name;
    for (String line : text.strip().split("\r?\n", -1)) {
      String space = " ".repeat(Math.max(1, NAME_COLUMNS - before.length()));
      lines.add(
          new StyledLine(
              List.of(
                  new StyledLine.Piece(before + space, TextStyle.FAINT),
                  new StyledLine.Piece(line, textStyle))));
      before = "";
    }
  }
}
