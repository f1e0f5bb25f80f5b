package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Ids;
import joshua.kernel.Json;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua task}: the tasks of a MAD (REQ-FD-04…06). */
@Command(
    name = "task",
    description = "List the tasks of a MAD, show one, follow its text, or cancel it.",
    footer = {
      "",
      "Examples:",
      "  joshua task list --status FAILED",
      "  joshua task show 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07",
      "  joshua task tail 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07",
      "  joshua task cancel 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07"
    })
final class TaskCommand implements Subcommand {
  private static final int PROMPT_SHOWN = 60;

  /** What is to be done. */
  enum Action {
    LIST,
    SHOW,
    TAIL,
    CANCEL
  }

  /** The states of a task. */
  enum Status {
    PENDING,
    RUNNING,
    STREAMING,
    COMPLETED,
    FAILED
  }

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ACTION",
      description = "list, show, tail or cancel.")
  private @Nullable Action action;

  @Parameters(index = "1", arity = "0..1", paramLabel = "TASK-ID", description = "Which task.")
  private @Nullable String taskId;

  @Option(
      names = "--mad",
      defaultValue = "fiedler",
      paramLabel = "MAD",
      description = "Whose tasks. Default: ${DEFAULT-VALUE}")
  private String mad = "fiedler";

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only those: ${COMPLETION-CANDIDATES}.")
  private @Nullable Status status;

  @Option(names = "--requester", paramLabel = "ID", description = "Only those of this requester.")
  private @Nullable String requester;

  @Option(
      names = "-n",
      defaultValue = "20",
      paramLabel = "COUNT",
      description = "At most so many, the newest. Default: ${DEFAULT-VALUE}")
  private int count = 20;

  @Option(names = "-o", description = "text or json.")
  private OutputFormat format = OutputFormat.TEXT;

  @Override
  public int run(Settings settings, Surroundings around) throws Exception {
    Action wanted = checked();
    try (ToolCalls calls = ToolCalls.of(mad, settings, around)) {
      ObjectNode one = Json.object().put("task_id", taskId);
      switch (wanted) {
        case LIST -> list(calls.call("list_tasks", filter()), around);
        case SHOW -> show(calls.call("get_task_status", one), around);
        case CANCEL -> {
          ObjectNode answer = calls.call("cancel_task", one);
          around
              .out()
              .println(
                  format == OutputFormat.JSON
                      ? Json.write(answer)
                      : "%s is %s".formatted(taskId, answer.path("task_status").asText()));
        }
        case TAIL -> {
          return new TaskStream(calls, around).follow(String.valueOf(taskId), format);
        }
      }
      return 0;
    }
  }

  private Action checked() throws Misuse {
    List<String> problems = new ArrayList<>();
    if (action == null) {
      problems.add("ACTION is missing: joshua task list|show|tail|cancel");
    } else if (action != Action.LIST && (taskId == null || Ids.parseUuid(taskId).isEmpty())) {
      problems.add("TASK-ID " + Ids.UUID_RULE);
    }
    if (requester != null && !Ids.isIdentifier(requester)) {
      problems.add("--requester " + Ids.IDENTIFIER_RULE);
    }
    if (!problems.isEmpty() || action == null) {
      throw new Misuse(problems);
    }
    return action;
  }

  private ObjectNode filter() {
    ObjectNode filter = Json.object().put("limit", count);
    if (status != null) {
      filter.put("status", status.name());
    }
    if (requester != null) {
      filter.put("requester_id", requester);
    }
    return filter;
  }

  private void list(ObjectNode answer, Surroundings around) {
    if (format == OutputFormat.JSON) {
      around.out().println(Json.write(answer.path("tasks")));
      return;
    }
    for (JsonNode task : answer.path("tasks")) {
      around
          .out()
          .printf(
              "%s  %-9s  %s  %s  %s%n",
              task.path("task_id").asText(),
              task.path("status").asText(),
              task.path("created_at").asText(),
              task.path("requester_id").asText(),
              shortened(task.path("prompt").asText()));
    }
  }

  private void show(ObjectNode task, Surroundings around) {
    if (format == OutputFormat.JSON) {
      around.out().println(Json.write(task));
      return;
    }
    task.properties()
        .forEach(member -> {
          JsonNode value = member.getValue();
          if (!value.isNull()) {
            String text = value.isTextual() ? value.asText() : Json.write(value);
            around.out().printf("%-16s %s%n", member.getKey(), Printable.lines(text));
          }
        });
  }

  private static String shortened(String prompt) {
    String line = Printable.text(prompt);
    return line.length() <= PROMPT_SHOWN ? line : line.substring(0, PROMPT_SHOWN) + "…";
  }
}
