package joshua.tasks.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.TextExcerpt;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminCaller;
import joshua.ssh.DurationText;
import joshua.ssh.LiveVerb;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.TextTable;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskState;
import joshua.tasks.tool.LocalToolClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tasks}: the newest tasks and their states (REQ-FD-04, REQ-FD-06). */
@Command(
    name = "tasks",
    description =
        "List tasks, the newest first. A viewer sees those asked for in his own name; questions that"
            + " were answered without a model only --kind shows.",
    footer = {
      "",
      "Examples:",
      "  tasks",
      "  tasks --status FAILED -n 5",
      "  tasks --requester ann -o json",
      "  tasks --kind question",
      "  tasks -w"
    })
final class TasksVerb extends LiveVerb {
  private static final int PROMPT_SHOWN = 60;

  /** The kinds of tasks that can be listed. */
  enum ListedKind {
    WORK,
    QUESTION,
    ALL
  }

  private final LocalToolClient calls;
  private final InstantSource time;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only those: ${COMPLETION-CANDIDATES}.")
  private Optional<TaskState> status = Optional.empty();

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only those: work, question or all. Default: work")
  private ListedKind kind = ListedKind.WORK;

  @Option(names = "--requester", paramLabel = "ID", description = "Only those of this requester.")
  private Optional<String> requester = Optional.empty();

  @Option(
      names = "-n",
      paramLabel = "COUNT",
      description = "At most so many, 1 to " + TaskFilter.MAX_LIMIT + ". Default: 20")
  private int count = 20;

  TasksVerb(LocalToolClient calls, InstantSource time, TimedWait timedWait) {
    super(timedWait);
    this.calls = calls;
    this.time = time;
  }

  @Override
  public VerbReport report(AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    JsonNode tasks = calls.call("list_tasks", filter(), adminCaller).path("tasks");
    return new VerbReport(tasks, () -> lines(tasks, time.instant()));
  }

  private ObjectNode filter() throws VerbFailedException {
    if (count < 1 || count > TaskFilter.MAX_LIMIT) {
      throw VerbFailedException.misuse("-n must be 1 to " + TaskFilter.MAX_LIMIT);
    }
    ObjectNode filter = Json.object().put("limit", count);
    filter.put("kind", kind.name().toLowerCase(Locale.ROOT));
    status.ifPresent(state -> filter.put("status", state.name()));
    if (requester.isPresent()) {
      if (!BusIdentifiers.isIdentifier(requester.get())) {
        throw VerbFailedException.misuse("--requester " + BusIdentifiers.IDENTIFIER_RULE);
      }
      filter.put("requester_id", requester.get());
    }
    return filter;
  }

  private static List<StyledLine> lines(JsonNode tasks, Instant now) {
    TextTable textTable = new TextTable("TASK", "STATUS", "#AGE", "REQUESTER", "PROMPT");
    for (JsonNode task : tasks) {
      String state = task.path("status").asText();
      textTable.add(
          List.of(
              plain(task.path("task_id").asText()),
              new StyledLine.Piece(state, style(state)),
              plain(DurationText.of(task.path("created_at").asText(), now)),
              plain(task.path("requester_id").asText()),
              plain(TextExcerpt.of(task.path("prompt").asText(), PROMPT_SHOWN))));
    }
    return textTable.isEmpty() ? List.of(StyledLine.of("None.")) : textTable.lines();
  }

  private static StyledLine.Piece plain(String text) {
    return new StyledLine.Piece(text, TextStyle.PLAIN);
  }

  /** The style of a state. */
  static TextStyle style(String state) {
    return switch (TaskState.valueOf(state)) {
      case PENDING -> TextStyle.FAINT;
      case RUNNING, STREAMING -> TextStyle.STRONG;
      case COMPLETED -> TextStyle.GOOD;
      case FAILED -> TextStyle.BAD;
    };
  }
}
