package joshua.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import joshua.kernel.Excerpt;
import joshua.kernel.Ids;
import joshua.kernel.Json;
import joshua.kernel.Pause;
import joshua.ssh.Access;
import joshua.ssh.Age;
import joshua.ssh.Line;
import joshua.ssh.LiveVerb;
import joshua.ssh.Report;
import joshua.ssh.Style;
import joshua.ssh.Table;
import joshua.ssh.VerbFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tasks}: the newest tasks and where each stands (REQ-FD-04, REQ-FD-06). */
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

  /** Which kind of tasks is listed. */
  enum ListedKind {
    WORK,
    QUESTION,
    ALL
  }

  private final VerbCalls calls;
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

  TasksVerb(VerbCalls calls, InstantSource time, Pause pause) {
    super(pause);
    this.calls = calls;
    this.time = time;
  }

  @Override
  protected Report report(Access access) throws VerbFailed, InterruptedException {
    JsonNode tasks = calls.call("list_tasks", filter(), access).path("tasks");
    return new Report(tasks, () -> lines(tasks, time.instant()));
  }

  private ObjectNode filter() throws VerbFailed {
    if (count < 1 || count > TaskFilter.MAX_LIMIT) {
      throw VerbFailed.misuse("-n must be 1 to " + TaskFilter.MAX_LIMIT);
    }
    ObjectNode filter = Json.object().put("limit", count);
    filter.put("kind", kind.name().toLowerCase(Locale.ROOT));
    status.ifPresent(state -> filter.put("status", state.name()));
    if (requester.isPresent()) {
      if (!Ids.isIdentifier(requester.get())) {
        throw VerbFailed.misuse("--requester " + Ids.IDENTIFIER_RULE);
      }
      filter.put("requester_id", requester.get());
    }
    return filter;
  }

  private static List<Line> lines(JsonNode tasks, Instant now) {
    Table table = new Table("TASK", "STATUS", "#AGE", "REQUESTER", "PROMPT");
    for (JsonNode task : tasks) {
      String state = task.path("status").asText();
      table.add(
          List.of(
              plain(task.path("task_id").asText()),
              new Line.Piece(state, style(state)),
              plain(Age.of(task.path("created_at").asText(), now)),
              plain(task.path("requester_id").asText()),
              plain(Excerpt.of(task.path("prompt").asText(), PROMPT_SHOWN))));
    }
    return table.isEmpty() ? List.of(Line.of("None.")) : table.lines();
  }

  private static Line.Piece plain(String text) {
    return new Line.Piece(text, Style.PLAIN);
  }

  /** How a state stands out. */
  static Style style(String state) {
    return switch (TaskState.valueOf(state)) {
      case PENDING -> Style.FAINT;
      case RUNNING, STREAMING -> Style.STRONG;
      case COMPLETED -> Style.GOOD;
      case FAILED -> Style.BAD;
    };
  }
}
