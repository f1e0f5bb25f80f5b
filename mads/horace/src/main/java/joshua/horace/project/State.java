package joshua.horace.project;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.text.BreakIterator;
import java.util.List;
import java.util.Locale;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.Documents;
import joshua.horace.document.Edit;
import joshua.kernel.Json;
import joshua.network.SchemaHint;
import joshua.state.Database;
import org.jspecify.annotations.Nullable;

/** The state and the priorities of projects, which are documents. */
public record State(Database database, Documents documents) {
  public static final String PRIORITY = "project/priority.md";

  private static final int DEFAULT_PRIORITY = 500;

  public record Update(
      @SchemaHint(
              value = "Members to set; objects are merged at every depth",
              example = "{\"phase\":\"implementing\"}")
          ObjectNode updates,
      @SchemaHint("JSON pointers of members to remove") @Nullable List<String> remove,
      @SchemaHint("Of your lock, if you hold one") @Nullable Long fence,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  public record Write(
      String context,
      @SchemaHint(value = "What is longer is cut; 500 if left out", min = 1, max = 20_000)
          @Nullable Integer maxChars,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  public ObjectNode state(Request by, Request.Plain input) {
    return documents.about(by.project(), Documents.STATE).set("state", current(by.project()));
  }

  ObjectNode current(String project) {
    return documents.data(project, Documents.STATE) instanceof ObjectNode state
        ? state
        : Json.object();
  }

  public ObjectNode update(Request by, Update input) {
    Edit edit =
        new Edit(
            Documents.STATE,
            null,
            null,
            null,
            input.updates(),
            input.remove(),
            input.fence(),
            null,
            input.scope());
    return documents.edit(by, edit).put("updated", true).set("state", current(by.project()));
  }

  public ObjectNode readPriority(Request by, Request.Plain input) {
    String context = priority(by);
    return Json.object().put("context", context).put("length", context.length());
  }

  /** The priorities as they were written. */
  private String written(String project) {
    return documents.text(project, PRIORITY);
  }

  /** What was written, and the newest decisions as far as they fit. */
  String priority(Request by) {
    StringBuilder text = new StringBuilder(written(by.project()));
    String newest =
        """
        select checkpoint_id || ': ' || selected from decision
        where project = ? and checkpoint_id is not null and superseded_by is null
        order by seq desc limit 20
        """;
    for (String decision : database.read(tx -> tx.rows(String.class, newest, by.project()))) {
      if (text.length() + decision.length() >= DEFAULT_PRIORITY) {
        break;
      }
      text.append(text.isEmpty() ? "" : "\n").append(decision);
    }
    return text.toString();
  }

  public ObjectNode writePriority(Request by, Write input) {
    String context = cut(input.context(), requireNonNullElse(input.maxChars(), DEFAULT_PRIORITY));
    var _ = documents.overwrite(by, PRIORITY, context);
    ObjectNode answer = Json.object().put("written", true).put("length", context.length());
    return answer.put("cut", context.length() < input.context().length());
  }

  /** The beginning of a text, to the end of a character as people see them. */
  private static String cut(String text, int most) {
    BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
    characters.setText(text);
    return text.length() <= most || characters.isBoundary(most)
        ? text.substring(0, Math.min(text.length(), most))
        : text.substring(0, characters.preceding(most));
  }
}
