package joshua.horace.tool;

import java.util.List;
import joshua.horace.change.Changes;
import joshua.horace.change.Request;
import joshua.horace.project.Projects;
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

  /** The everyday ones. */
  static List<Tool<?>> everyday(Tools make, Changes changes) {
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
            changes::read));
  }

  /** The others. */
  static List<Tool<?>> others(Tools make, Projects projects) {
    return List.of(
        make.changes(
            "project_create", "Begins a project.", Projects.Create.class, projects::create));
  }
}
