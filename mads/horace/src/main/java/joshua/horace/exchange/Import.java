package joshua.horace.exchange;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import joshua.horace.change.Answer;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Request;
import joshua.horace.document.Documents;
import joshua.horace.document.Edit;
import joshua.horace.document.Format;
import joshua.horace.project.AgentRules;
import joshua.horace.project.State;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Timestamps;
import joshua.network.Name;
import joshua.network.RefusalException;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.Job;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The import of files into a project: exports of this or of Diverga, Diverga's own files, by their
 * names, and any other as a document. What is there already stays unchanged, so it can be repeated.
 */
public record Import(Database database, Documents documents) {
  private static final String SCRATCHPAD = ".ad-sdlc/scratchpad/";

  /** A file of the user's. */
  public record File(String path, String content) {}

  /** The input of {@code project_import}. */
  public record Input(
      @SchemaHint(
              value = "Relative paths and contents",
              example = "[{\"path\":\"a.md\",\"content\":\"x\"}]",
              min = 1,
              max = 10_000)
          List<File> files,
      @SchemaHint("Say what would be imported, and change nothing") @Nullable Boolean dryRun,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** What is to be there; whether it is already, and how it comes there. */
  private record Item(String kind, Job<Boolean> isThere, Job<?> add) {}

  public ToolResult take(Request by, Input input) {
    List<Item> items = new ArrayList<>();
    ArrayNode skipped = Json.object().arrayNode();
    for (File file :
        input.files().stream().sorted(Comparator.comparingInt(Import::rank)).toList()) {
      try {
        Optional<String> why = read(by, file, items);
        why.ifPresent(it -> skipped.addObject().put("path", file.path()).put("why", it));
      } catch (RefusalException e) {
        skipped.addObject().put("path", file.path()).put("why", e.refusal().message());
      }
    }
    boolean dry = requireNonNullElse(input.dryRun(), false);
    Map<String, Integer> imported = new TreeMap<>();
    int unchanged =
        dry
            ? database.read(tx -> add(tx, items, imported, true))
            : database.write(tx -> {
              imported.clear(); // the job may run twice
              int there = add(tx, items, imported, false);
              if (there < items.size()) {
                ChangeLog.add(tx, by, "project", by.project(), null, "import", null, null);
              }
              return there;
            });
    ObjectNode answer = Json.object().put("project", by.project());
    answer.set("imported", Json.mapper().valueToTree(imported));
    answer.put("unchanged", unchanged).put("dry_run", dry);
    return Answer.of(answer.set("skipped", skipped));
  }

  private static int add(
      Transaction tx, List<Item> items, Map<String, Integer> imported, boolean dry) {
    int unchanged = 0;
    for (Item item : items) {
      if (item.isThere().run(tx)) {
        unchanged++;
        continue;
      }
      imported.merge(item.kind(), 1, Integer::sum);
      if (!dry) {
        var _ = item.add().run(tx);
      }
    }
    return unchanged;
  }

  /** Files that come later win: those of research/ over .research/ over the root. */
  private static int rank(File file) {
    return file.path().startsWith("research/") ? 2 : file.path().startsWith(".research/") ? 1 : 0;
  }

  /** Adds what a file has, or says why it is skipped. */
  private Optional<String> read(Request by, File file, List<Item> items) {
    String name = file.path().substring(file.path().lastIndexOf('/') + 1);
    Format format = Format.of(name);
    JsonNode data = format.hasData() ? format.parse(file.path(), file.content()) : Json.object();
    switch (name.toLowerCase(Locale.ROOT)) {
      case "checkpoints.yaml" ->
          data.path("checkpoints")
              .forEach(stage -> stage.forEach(each -> items.add(checkpoint(by, each))));
      case "decision-log.yaml" ->
          data.path("decisions").forEach(each -> items.add(decision(by, each)));
      case "project-state.yaml" -> items.add(state(by, data));
      case "priority-context.md" -> items.add(document(by, State.PRIORITY, file.content()));
      case "agent-prerequisite-map.json" ->
          items.add(document(by, AgentRules.PATH, Format.JSON.print(data)));
      case "agents.json", "messages.json" -> {
        return Optional.of("mail is Dewey's");
      }
      default -> {
        if (data.has("project_state") && data.has("decisions")) {
          readExport(by, data, items);
        } else if (name.endsWith(".lock") || name.endsWith(".tmp")) {
          return Optional.of("it is a lock or a temporary file");
        } else {
          items.add(document(by, path(file.path()), file.content()));
        }
      }
    }
    return Optional.empty();
  }

  private void readExport(Request by, JsonNode data, List<Item> items) {
    items.add(state(by, data.path("project_state")));
    data.path("decisions").forEach(each -> items.add(decision(by, each)));
    data.path("checkpoints").forEach(each -> items.add(checkpoint(by, each)));
    String priority = data.path("priority_context").asText();
    if (!priority.isEmpty()) {
      items.add(document(by, State.PRIORITY, priority));
    }
    data.at("/joshua/documents")
        .properties()
        .forEach(each ->
            items.add(document(by, each.getKey(), each.getValue().path("content").asText())));
  }

  /** The path of a document: of {@code .ad-sdlc/scratchpad/SECTION/ID/…} without the id. */
  private static String path(String file) {
    int at = file.indexOf(SCRATCHPAD);
    return at < 0
        ? file
        : file.substring(at + SCRATCHPAD.length()).replaceFirst("^([^/]+)/[^/]+/", "$1/");
  }

  private Item document(Request by, String path, String content) {
    Optional<Refusal> refusal = documents.refuse(by, path, content);
    if (refusal.isPresent()) {
      throw new Format.MalformedException(refusal.get());
    }
    return new Item(
        "documents",
        tx -> documents.has(tx, by, path, content),
        tx -> documents.overwrite(tx, by, path, content));
  }

  private Item state(Request by, JsonNode given) {
    JsonNode now = documents.data(by.project(), State.STATE);
    ObjectNode merged = now instanceof ObjectNode object ? object.deepCopy() : Json.object();
    if (given instanceof ObjectNode more) {
      Edit.deepMerge(merged, more);
    }
    return new Item(
        "state",
        tx -> merged.equals(now),
        tx -> documents.overwrite(tx, by, State.STATE, Format.JSON.print(merged)));
  }

  private static Item checkpoint(Request by, JsonNode given) {
    String id = given.path("checkpoint_id").asText();
    String decision = given.path("decision").asText();
    String status = given.path("status").asText("completed").toUpperCase(Locale.ROOT);
    return new Item(
        "checkpoints",
        tx ->
            tx.number(
                    """
                    select count(*) from checkpoint
                    where project = ? and id = ? and status = ? and decision = ?
                    """,
                    by.project(),
                    id,
                    status,
                    decision)
                > 0,
        tx ->
            tx.update(
                "insert or replace into checkpoint values (?, ?, ?, ?, ?, ?, ?, ?)",
                by.project(),
                id,
                given.path("level").asText("UNKNOWN"),
                status,
                decision,
                given.path("rationale").textValue(),
                given.path("author").asText(by.author()),
                time(by, given.path("completed_at"))));
  }

  private static Instant time(Request by, JsonNode given) {
    Instant time = Timestamps.parse(given.asText());
    return time == null ? by.at() : time;
  }

  /** A decision, by another id if there is another one by its own. */
  private static Item decision(Request by, JsonNode given) {
    String id = given.path("decision_id").asText();
    String selected = given.path("selected").asText();
    String metadata = given.path("metadata").isObject() ? given.path("metadata").toString() : null;
    JsonNode alternatives = given.path("alternatives_considered");
    return new Item(
        "decisions",
        tx ->
            tx.number(
                    """
                    select count(*) from decision
                    where project = ?1 and selected = ?3
                      and (decision_id = ?2 or metadata ->> '$.imported_as' = ?2)
                    """,
                    by.project(),
                    id,
                    selected)
                > 0,
        tx -> {
          boolean taken =
              tx.number(
                      "select count(*) from decision where project = ? and decision_id = ?",
                      by.project(),
                      id)
                  > 0;
          tx.update(
              "update project set decisions = max(decisions, cast(substr(?, 5) as integer)) where id = ?",
              id,
              by.project());
          tx.update(
              """
              insert into decision (project, decision_id, version, checkpoint_id, selected,
                rationale, alternatives, metadata, supersedes, superseded_by, author, at)
              values (?1, iif(?2, printf('DEV_%03d',
                  (select decisions + 1 from project where id = ?1)), ?3), ?4, ?5, ?6, ?7, ?8,
                iif(?2, json_set(coalesce(?9, '{}'), '$.imported_as', ?3), ?9), ?10, ?11, ?12, ?13)
              """,
              by.project(),
              taken,
              id,
              given.path("version").asLong(1),
              given.path("checkpoint_id").textValue(),
              selected,
              given.path("rationale").textValue(),
              alternatives.isArray() ? alternatives.toString() : null,
              metadata,
              given.path("supersedes").textValue(),
              given.path("superseded_by").textValue(),
              given.path("author").asText(by.author()),
              time(by, given.path("timestamp")));
          return tx.update(
              "update project set decisions = decisions + ? where id = ?", taken, by.project());
        });
  }
}
