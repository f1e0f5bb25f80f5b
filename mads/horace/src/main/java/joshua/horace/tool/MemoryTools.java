package joshua.horace.tool;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Plain;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.Documents;
import joshua.horace.document.Edit;
import joshua.horace.document.Locks;
import joshua.horace.document.Reading;
import joshua.horace.document.Snapshots;
import joshua.horace.exchange.Export;
import joshua.horace.exchange.Import;
import joshua.horace.project.Briefing;
import joshua.horace.project.Decisions;
import joshua.horace.project.Projects;
import joshua.horace.project.State;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.state.Database;
import joshua.state.Pulse;
import org.jspecify.annotations.Nullable;

/** The tools of documents and projects. */
record MemoryTools(Database database, Documents documents, State state, Decisions decisions) {
  /** Those of projects under the names that Diverga 9 has for them. */
  private static final Map<String, String> DIVERGA =
      Map.of(
          "checkpoint_check", "diverga_check_prerequisites",
          "checkpoint_mark", "diverga_mark_checkpoint",
          "checkpoint_status", "diverga_checkpoint_status",
          "project_state", "diverga_project_status",
          "project_update", "diverga_project_update",
          "decision_add", "diverga_decision_add",
          "priority_read", "diverga_priority_read",
          "priority_write", "diverga_priority_write");

  record DocumentList(
      @SchemaHint("Only paths that begin with this") @Nullable String prefix,
      @SchemaHint("next of the last page") @Nullable String after,
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  record History(
      String path,
      @SchemaHint("next of the last page") @Nullable Long before,
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  List<Tool<?>> ofDocuments(Tools make, Locks locks) {
    Reading reading = new Reading(database, locks);
    Tools.Work<History> history = make.rowsOf("versions", "history");
    return List.of(
        make.reads("document_read", Reading.Read.class, reading::read),
        make.changes("document_write", Documents.Write.class, documents::write),
        make.changes("document_edit", Edit.class, documents::edit),
        make.rows("document_list", DocumentList.class, "documents", "documents"),
        make.reads("document_search", Reading.Search.class, reading::search),
        make.reads(
            "document_history",
            History.class,
            (by, given) ->
                history.of(by, given).put("oldest_kept", reading.oldestKept(by, given.path()))),
        make.changes("document_delete", Documents.Delete.class, documents::delete),
        make.changes("document_lock", Locks.Take.class, locks::take),
        make.changes("document_unlock", Locks.Release.class, locks::release));
  }

  record ProjectList(
      @SchemaHint("next of the last page") @Nullable String after,
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  record Filters(
      @Nullable String checkpointId,
      @SchemaHint("Its author, or the agent in its metadata") @Nullable String agent,
      @Nullable Instant after,
      @Nullable Instant before,
      @SchemaHint("A part of its text") @Nullable String query,
      @SchemaHint("Those that were amended, too") @Nullable Boolean all,
      @SchemaHint("next of the last page") @Nullable String afterId,
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit) {}

  record DecisionList(@JsonUnwrapped Filters filters, @JsonUnwrapped Scope scope)
      implements Request.Input {}

  private static <I extends Request.Input> Tools.Work<I> decisionList(Tools make) {
    Tools.Work<I> rows = make.rowsOf("decisions", "decisions");
    return (by, given) -> {
      ObjectNode answer = rows.of(by, given);
      return answer.has("total") ? answer : answer.put("total", 0);
    };
  }

  /** The everyday ones of projects. */
  List<Tool<?>> everyday(Tools make, Pulse pulse) {
    ChangeLog changes = new ChangeLog(database, pulse);
    return List.of(
        make.rows("project_list", ProjectList.class, "projects", "projects"),
        make.reads("project_changes", ChangeLog.Input.class, changes::read),
        make.reads("project_state", Plain.class, state::state),
        make.changes("project_update", State.Update.class, state::update),
        make.reads("checkpoint_check", Decisions.Check.class, decisions::check),
        make.changes("checkpoint_mark", Decisions.Mark.class, decisions::mark),
        make.reads("checkpoint_status", Decisions.Status.class, decisions::status),
        make.changes("decision_add", Decisions.Add.class, decisions::add),
        make.reads("decision_list", DecisionList.class, decisionList(make)),
        make.reads("priority_read", Plain.class, state::readPriority),
        make.changes("priority_write", State.Write.class, state::writePriority));
  }

  /** The others of projects. */
  List<Tool<?>> others(Tools make, Projects projects) {
    Briefing briefing = new Briefing(database, state, decisions);
    Snapshots snapshots = new Snapshots(database, documents);
    Export export = new Export(database);
    Import imports = new Import(database, documents);
    return List.of(
        make.reads("project_briefing", Plain.class, briefing::read),
        make.changes("project_create", Projects.Create.class, projects::create),
        make.changes("project_snapshot", Snapshots.Take.class, snapshots::take),
        make.changes("project_restore", Snapshots.Restore.class, snapshots::restore),
        make.reads("project_export", Export.Input.class, export::export),
        make.changes("project_import", Import.Input.class, imports::take));
  }

  record Filtered(@Nullable Filters filters, @JsonUnwrapped Scope scope) implements Request.Input {}

  /** Diverga's. */
  List<Tool<?>> diverga(Tools make, Pulse pulse) {
    Export export = new Export(database);
    return Stream.<Tool<?>>concat(
            everyday(make, pulse).stream()
                .filter(it -> DIVERGA.containsKey(it.name()))
                .map(it -> it.renamed(DIVERGA.getOrDefault(it.name(), ""))),
            Stream.of(
                make.reads("diverga_decision_list", Filtered.class, decisionList(make)),
                make.reads("diverga_export_yaml", Plain.class, export::yaml)))
        .toList();
  }
}
