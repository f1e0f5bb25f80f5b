package joshua.tasks.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import joshua.tasks.tool.LocalToolClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code task}: shows one task, follows its text, or cancels it (REQ-FD-04…07). */
@Command(
    name = "task",
    description = "Show a task, follow its text as it comes, or cancel it.",
    footer = {
      "",
      "Ctrl-C stops looking, not the task. To cancel one needs the role operator. Examples:",
      "  task 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07",
      "  task 0193f0a2-7c1e tail",
      "  task 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07 cancel"
    })
final class TaskVerb extends Verb {
  /** The maximum number of ids offered for completion. */
  private static final int OFFERED = 50;

  /** The maximum number of candidates named when an id is ambiguous. */
  private static final int NAMED = 5;

  /** The action on the task. */
  enum Action {
    SHOW,
    TAIL,
    CANCEL
  }

  private final LocalToolClient calls;
  private final InstantSource time;

  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "Which task; the beginning of its id is enough.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "ACTION",
      description = "show, tail or cancel. Default: show")
  private Action action = Action.SHOW;

  TaskVerb(LocalToolClient calls, InstantSource time) {
    this.calls = calls;
    this.time = time;
  }

  @Override
  public Role role() {
    return action == Action.CANCEL ? calls.role("cancel_task") : Role.VIEWER;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    String task = whole(adminCaller);
    ObjectNode input = Json.object().put("task_id", task);
    switch (action) {
      case SHOW -> {
        ObjectNode state = calls.call("get_task_status", input, adminCaller);
        commandOutput.show(new VerbReport(state, () -> TaskPage.lines(state, time.instant())));
      }
      case TAIL -> new TaskTail(calls, adminCaller, commandOutput).follow(task);
      case CANCEL -> {
        ObjectNode answer = calls.call("cancel_task", input, adminCaller);
        String sentence = "%s is %s".formatted(task, answer.path("task_status").asText());
        commandOutput.show(new VerbReport(answer, () -> List.of(StyledLine.of(sentence))));
      }
    }
  }

  /** The full id of the task that was named. */
  private String whole(AdminCaller adminCaller) throws VerbFailedException, InterruptedException {
    String prefix =
        BusIdentifiers.parseUuidPrefix(id)
            .orElseThrow(() -> VerbFailedException.misuse("ID " + BusIdentifiers.UUID_PREFIX_RULE));
    if (BusIdentifiers.parseUuid(prefix).isPresent()) {
      return prefix;
    }
    ObjectNode filter =
        Json.object().put("kind", "all").put("id_prefix", prefix).put("limit", NAMED + 1);
    List<String> found = new ArrayList<>();
    calls
        .call("list_tasks", filter, adminCaller)
        .path("tasks")
        .forEach(each -> found.add(each.path("task_id").asText()));
    if (found.isEmpty()) {
      throw VerbFailedException.refused(
          "There is no task here whose id begins with %s.".formatted(prefix));
    }
    if (found.size() > 1) {
      throw VerbFailedException.refused(
          "%s begins the ids of several tasks: %s%s. Write more of the one that you mean."
              .formatted(
                  prefix,
                  String.join(", ", found.subList(0, Math.min(NAMED, found.size()))),
                  found.size() > NAMED ? " and more" : ""));
    }
    return found.getFirst();
  }

  @Override
  public List<String> candidates(List<String> before, AdminCaller adminCaller) {
    List<String> all = new ArrayList<>();
    if (before.size() == 1) {
      for (Action each : Action.values()) {
        all.add(each.name().toLowerCase(Locale.ROOT));
      }
    }
    return before.isEmpty() ? newest(adminCaller) : all;
  }

  private List<String> newest(AdminCaller adminCaller) {
    List<String> ids = new ArrayList<>();
    try {
      JsonNode answer =
          calls.call(
              "list_tasks", Json.object().put("kind", "all").put("limit", OFFERED), adminCaller);
      answer.path("tasks").forEach(task -> ids.add(task.path("task_id").asText()));
    } catch (VerbFailedException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ids;
  }
}
