package joshua.horace.exchange;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.Documents;
import joshua.horace.document.Format;
import joshua.horace.document.Reading;
import joshua.horace.project.State;
import joshua.horace.yaml.YamlWriter;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.network.SchemaHint;
import joshua.state.Classpath;
import joshua.state.Database;
import org.jspecify.annotations.Nullable;

/** The export of a project in the form of Diverga 9, with its documents beside it. */
public record Export(Database database) {
  private static final long MAX_BYTES = 64L * 1024 * 1024;
  private static final String STORED = Classpath.read(Export.class, "export.sql");

  /** The form of an export. */
  public enum Form {
    YAML,
    JSON
  }

  public record Input(
      @SchemaHint("yaml if left out") @Nullable Form format,
      @SchemaHint(value = "In bytes: next_offset of the last piece", min = 0)
          @Nullable Integer offset,
      @SchemaHint("That of the first piece; needed with offset") @Nullable Long change,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  /** A piece of an export, and the change that it is as of. */
  public ObjectNode export(Request by, Input input) {
    if (requireNonNullElse(input.offset(), 0) > 0 && input.change() == null) {
      throw Refused.invalid("offset needs change, which the first piece has");
    }
    ObjectNode all = all(by);
    long change = all.remove("change").longValue();
    if (input.change() != null && input.change() != change) {
      throw Refused.conflict("The project has changed since %d: begin anew.", input.change());
    }
    String content =
        input.format() == Form.JSON ? all.toPrettyString() + "\n" : YamlWriter.write(all);
    ObjectNode answer = by.answer().put("change", change);
    Reading.addPiece(answer, content, input.offset(), by.room());
    return answer;
  }

  /** What Diverga's own export has. */
  public ObjectNode yaml(Request by, Request.Plain input) {
    ObjectNode all = all(by);
    all.remove(List.of("joshua", "change"));
    return Json.object().put("content", YamlWriter.write(all));
  }

  private ObjectNode all(Request by) {
    long bytes =
        database.read(tx ->
            tx.number(
                """
                select coalesce(sum(bytes), 0)
                from document join document_version using (project, path, version)
                where project = ? and deleted = 0
                """,
                by.project()));
    if (bytes > MAX_BYTES) {
      throw Refused.tooLarge(
          "The documents of %s have %d bytes, and %d is the most of an export; read them one by one."
              .formatted(by.project(), bytes, MAX_BYTES));
    }
    ObjectNode stored =
        database.read(tx -> tx.row(ObjectNode.class, STORED, by.project()).orElseThrow());
    ObjectNode documents = (ObjectNode) stored.remove("documents");
    JsonNode state = documents.remove(Documents.STATE);
    JsonNode priority = documents.remove(State.PRIORITY);
    ObjectNode all =
        Json.object()
            .set(
                "project_state",
                state == null
                    ? Json.object()
                    : Format.JSON.parse(Documents.STATE, state.path("content").asText()));
    all.setAll(stored);
    all.put("priority_context", priority == null ? "" : priority.path("content").asText())
        .put("exported_at", Timestamps.format(by.at()))
        .put("version", "9.0.0")
        .putObject("joshua")
        .put("project", by.project())
        .set("documents", documents);
    return all;
  }
}
