package joshua.horace.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import joshua.horace.change.Request;
import joshua.horace.exchange.Export;
import joshua.horace.project.State;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import org.jspecify.annotations.Nullable;

/** The tools of projects under the names that Diverga 9 has for them. */
final class DivergaTools {
  static final List<String> CHECKPOINTS =
      List.of(
          "diverga_check_prerequisites", "diverga_mark_checkpoint", "diverga_checkpoint_status");

  private static final Map<String, String> NAMES =
      Map.of(
          "checkpoint_check", "diverga_check_prerequisites",
          "checkpoint_mark", "diverga_mark_checkpoint",
          "checkpoint_status", "diverga_checkpoint_status",
          "project_state", "diverga_project_status",
          "project_update", "diverga_project_update",
          "decision_add", "diverga_decision_add",
          "priority_read", "diverga_priority_read",
          "priority_write", "diverga_priority_write");

  private DivergaTools() {}

  record Filter(
      @SchemaHint("checkpoint_id, agent, after, before") @Nullable ObjectNode filters,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** Those among some tools that have such a name, and the list of decisions. */
  static List<Tool<?>> of(Tools make, List<Tool<?>> tools, Export export) {
    return Stream.<Tool<?>>concat(
            tools.stream().filter(it -> NAMES.containsKey(it.name())).map(DivergaTools::renamed),
            Stream.of(
                make.rows(
                    "diverga_decision_list",
                    "Lists decisions, oldest first.",
                    Filter.class,
                    "decisions",
                    "decisions"),
                make.reads(
                    "diverga_export_yaml",
                    "The state, decisions and priorities of a project as YAML.",
                    State.Plain.class,
                    export::yaml)))
        .toList();
  }

  private static <I extends Record> Tool<I> renamed(Tool<I> tool) {
    return tool.renamed(NAMES.getOrDefault(tool.name(), tool.name()));
  }
}
