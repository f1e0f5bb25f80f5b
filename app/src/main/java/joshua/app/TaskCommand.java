package joshua.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import joshua.kernel.BusIdentifiers;
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
      "  joshua task list --mad rogers --kind question -w",
      "  joshua task show 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07",
      "  joshua task tail 0193f0a2-7c1e",
      "  joshua task cancel 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07"
    })
final class TaskCommand extends VerbSubcommand {
  /** The actions on tasks. */
  enum Action {
    LIST,
    SHOW,
    TAIL,
    CANCEL;

    /** As typed on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The kinds of tasks: questions were answered without a model. */
  enum Kind {
    WORK,
    QUESTION,
    ALL;

    /** As typed on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
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

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TASK-ID",
      description = "Which task; the beginning of its id is enough.")
  private @Nullable String taskId;

  @Option(
      names = "--mad",
      defaultValue = "fiedler",
      completionCandidates = KnownMad.ThinkingNames.class,
      paramLabel = "MAD",
      description = "Whose tasks. Default: ${DEFAULT-VALUE}")
  private String mad = "fiedler";

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only those: ${COMPLETION-CANDIDATES}.")
  private @Nullable Status status;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only those: ${COMPLETION-CANDIDATES}. Default: work")
  private @Nullable Kind kind;

  @Option(names = "--requester", paramLabel = "ID", description = "Only those of this requester.")
  private @Nullable String requester;

  @Option(
      names = "-n",
      defaultValue = "20",
      paramLabel = "COUNT",
      description = "At most so many, the newest. Default: ${DEFAULT-VALUE}")
  private int count = 20;

  @Option(
      names = {"-w", "--watch"},
      description = "Show the list again and again, until Ctrl-C.")
  private boolean watch;

  @Override
  String mad(Settings settings) {
    return mad;
  }

  @Override
  VerbWords words() throws UsageException {
    Action wanted = checked();
    if (wanted == Action.LIST) {
      return new VerbWords("tasks")
          .option("--status", status)
          .option("--kind", kind)
          .option("--requester", requester)
          .option("-n", count)
          .flag("-w", watch);
    }
    return new VerbWords("task").parameter(String.valueOf(taskId)).parameter(wanted.toString());
  }

  private Action checked() throws UsageException {
    List<String> problems = new ArrayList<>();
    if (action == null) {
      problems.add("ACTION is missing: joshua task list|show|tail|cancel");
    } else if (action != Action.LIST
        && (taskId == null || BusIdentifiers.parseUuidPrefix(taskId).isEmpty())) {
      problems.add("TASK-ID " + BusIdentifiers.UUID_PREFIX_RULE);
    }
    if (requester != null && !BusIdentifiers.isIdentifier(requester)) {
      problems.add("--requester " + BusIdentifiers.IDENTIFIER_RULE);
    }
    if (!problems.isEmpty() || action == null) {
      throw new UsageException(problems);
    }
    return action;
  }
}
