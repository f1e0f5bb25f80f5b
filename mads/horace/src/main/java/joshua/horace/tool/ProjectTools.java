package joshua.horace.tool;

import java.time.Instant;
import java.util.List;
import joshua.horace.change.Changes;
import joshua.horace.change.Request;
import joshua.horace.document.Snapshots;
import joshua.horace.exchange.Export;
import joshua.horace.exchange.Import;
import joshua.horace.project.Briefing;
import joshua.horace.project.Decisions;
import joshua.horace.project.Projects;
import joshua.horace.project.State;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import org.jspecify.annotations.Nullable;

/** The tools of projects. */
final class ProjectTools {
  private ProjectTools() {}

  record ListInput(
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  record DecisionsInput(
      @Nullable String checkpointId,
      @SchemaHint("Its author, or the agent in its metadata") @Nullable String agent,
      @Nullable Instant after,
      @Nullable Instant before,
      @SchemaHint("A part of its text") @Nullable String query,
      @SchemaHint("Those that were amended, too") @Nullable Boolean all,
      @SchemaHint("next of the last page") @Nullable String afterId,
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** The everyday ones. */
  static List<Tool<?>> everyday(Tools make, Changes changes, State state, Decisions decisions) {
    return List.of(
        make.rows(
            "project_list",
            "Lists the projects, that which changed last first.",
            ListInput.class,
            "projects",
            "projects"),
        make.reads(
            "project_changes",
            "What changed in a project, in order: what others did while you were away. It can wait"
                + " for a change.",
            Changes.Input.class,
            changes::read),
        make.reads(
            "project_state",
            "The state of a project: an object of its members' own.",
            State.Plain.class,
            state::state),
        make.changes(
            "project_update",
            "Sets members of a project's state, its phase for one.",
            State.Update.class,
            state::update),
        make.reads(
            "checkpoint_check",
            "Whether an agent may begin, or which checkpoints it needs first.",
            Decisions.Check.class,
            decisions::check),
        make.changes(
            "checkpoint_mark",
            "Records a decision that passes a checkpoint; agents that may begin now are told.",
            Decisions.Mark.class,
            decisions::mark),
        make.reads(
            "checkpoint_status",
            "Which checkpoints are passed or pending, and who waits for which.",
            Decisions.Status.class,
            decisions::status),
        make.changes(
            "decision_add",
            "Records a decision and why, perhaps in place of an earlier one.",
            Decisions.Add.class,
            decisions::add),
        make.rows(
            "decision_list",
            "Lists decisions, oldest first: what was decided, and why.",
            DecisionsInput.class,
            "decisions",
            "decisions"),
        make.reads(
            "priority_read",
            "The few lines that everybody should know first, and the newest decisions.",
            State.Plain.class,
            state::readPriority),
        make.changes(
            "priority_write", "Replaces these lines.", State.Write.class, state::writePriority));
  }

  /** The others. */
  static List<Tool<?>> others(
      Tools make,
      Projects projects,
      Snapshots snapshots,
      Briefing briefing,
      Export export,
      Import imports) {
    return List.of(
        make.reads(
            "project_briefing",
            "What somebody needs to know first who begins to work on a project, in a few lines.",
            State.Plain.class,
            briefing::read),
        make.changes(
            "project_create", "Begins a project.", Projects.Create.class, projects::create),
        make.changes(
            "project_snapshot",
            "Keeps what all documents of a project are now.",
            Snapshots.Take.class,
            snapshots::take),
        make.changes(
            "project_restore",
            "Makes all documents what they were at a snapshot, as new versions; undo is the snapshot"
                + " of before.",
            Snapshots.Restore.class,
            snapshots::restore),
        make.reads(
            "project_export",
            "A project as YAML or JSON: its state, decisions, checkpoints and documents.",
            Export.Input.class,
            export::export),
        make.changes(
            "project_import",
            "Takes files in: exports, Diverga's own files, and others as documents. It can be"
                + " repeated.",
            Import.Input.class,
            imports::take));
  }
}
