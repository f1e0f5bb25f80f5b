package joshua.horace.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.horace.change.Answer;
import joshua.horace.change.Request;
import joshua.horace.document.Reading;
import joshua.horace.project.State;
import joshua.horace.yaml.YamlWriter;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The export of a project in the form of Diverga 9, with its documents beside it. */
public record Export(Database database, State state) {
  private static final long MAX_BYTES = 64L * 1024 * 1024;

  /** The form of an export. */
  public enum Form {
    YAML,
    JSON
  }

  /** The input of {@code project_export}. */
  public record Input(
      @SchemaHint("yaml if left out") @Nullable Form format,
      @SchemaHint(value = "In bytes: next_offset of the last piece", min = 0)
          @Nullable Integer offset,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  public ToolResult export(Request by, Input input) {
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
      String sentence =
          "The documents of %s have %d bytes, and %d is the most of an export; read them one by one."
              .formatted(by.project(), bytes, MAX_BYTES);
      return Answer.refused(ErrorCode.TOO_LARGE, sentence);
    }
    ObjectNode all = diverga(by);
    ObjectNode joshua = all.putObject("joshua").put("project", by.project());
    database.read(tx -> joshua.set("documents", documents(tx, by.project())));
    String content =
        input.format() == Form.JSON ? all.toPrettyString() + "\n" : YamlWriter.write(all);
    ObjectNode answer = Json.object().put("project", by.project());
    Reading.addPiece(answer, content, requireNonNullElse(input.offset(), 0), by.room());
    return Answer.of(answer);
  }

  /** What Diverga's own export has. */
  public ToolResult yaml(Request by, State.Plain input) {
    return Answer.of(Json.object().put("content", YamlWriter.write(diverga(by))));
  }

  private ObjectNode diverga(Request by) {
    ObjectNode all = Json.object();
    all.set("project_state", state.current(by.project()));
    database.read(tx -> {
      all.set(
          "decisions",
          tx.table(
              """
              select decision_id, checkpoint_id, selected, rationale,
                alternatives as alternatives_considered, metadata, version, supersedes,
                superseded_by, author, strftime('%FT%H:%M:%fZ', at / 1000.0, 'unixepoch') as timestamp
              from decision where project = ? order by seq
              """,
              by.project()));
      return all.set(
          "checkpoints",
          tx.table(
              """
              select id as checkpoint_id, decision, rationale, level, lower(status) as status,
                author, strftime('%FT%H:%M:%fZ', at / 1000.0, 'unixepoch') as completed_at
              from checkpoint where project = ? order by at, id
              """,
              by.project()));
    });
    all.path("decisions").forEach(Export::tidy);
    all.path("checkpoints").forEach(Export::tidy);
    return all.put("priority_context", state.written(by.project()))
        .put("exported_at", Timestamps.format(by.at()))
        .put("version", "9.0.0");
  }

  /** Leaves out what is null, and makes JSON of what is stored as such. */
  private static void tidy(JsonNode row) {
    ObjectNode object = (ObjectNode) row;
    object.properties().removeIf(column -> column.getValue().isNull());
    for (String column : new String[] {"alternatives_considered", "metadata"}) {
      if (object.has(column)) {
        object.set(column, Json.parseTrusted(object.get(column).asText().getBytes(UTF_8)));
      }
    }
  }

  private static ObjectNode documents(Transaction tx, String project) {
    ObjectNode documents = Json.object();
    tx.table(
            """
            select path, lower(format) as format, content
            from document join document_version using (project, path, version)
            where project = ? and deleted = 0
              and path not in ('project/state.json', 'project/priority.md')
            order by path
            """,
            project)
        .forEach(row ->
            documents
                .putObject(row.path("path").asText())
                .put("format", row.path("format").asText())
                .put("content", row.path("content").asText()));
    return documents;
  }
}
