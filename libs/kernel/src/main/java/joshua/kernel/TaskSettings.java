package joshua.kernel;

import java.nio.file.Path;
import java.util.List;

/** The settings of tasks, for every MAD that runs tasks. */
public final class TaskSettings {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;
  private static final int MILLION = 1_000_000;

  public static final Setting<Integer> RUNNING =
      Setting.number(
          "tasks-running", 16, 1, 10_000, "tasks", "How many tasks run at once in one MAD.");
  public static final Setting<Integer> QUEUED =
      Setting.number(
          "tasks-queued",
          10_000,
          0,
          MILLION,
          "tasks",
          "How many tasks wait in one MAD; one more is refused as overloaded.");

  public static final Setting<Path> FIEDLER_IMPERATOR_FILE =
      Setting.path(
          "fiedler-imperator-file",
          null,
          "A file with the system prompt of Fiedler's Imperator, read at the start in place of the"
              + " IMPERATOR.md that comes with Joshua.");
  public static final Setting<Integer> TIME_LIMIT =
      Setting.number(
          "tasks-time-limit",
          600,
          1,
          86_400,
          "s",
          "How long one attempt at a task may take; then it is FAILED.");
  public static final Setting<Integer> ATTEMPTS =
      Setting.number(
          "tasks-attempts",
          2,
          1,
          10,
          "attempts",
          "How often a task is begun when the service stops while it runs; then it is FAILED.");
  public static final Setting<Integer> RETENTION =
      Setting.number(
          "tasks-retention",
          30,
          1,
          3_650,
          "days",
          "How long after it was made a task that has ended is kept.");
  public static final Setting<Integer> STORE_MIB =
      Setting.number(
          "tasks-store-mib",
          2_048,
          16,
          MILLION,
          "MiB",
          "How much the tasks of one MAD take on disk; then those that ended longest ago are"
              + " deleted.");
  public static final Setting<Long> PROMPT_LIMIT =
      Setting.bytes(
          "tasks-prompt-limit", "64KiB", 1, 16 * MIB, "The longest prompt of a task, in UTF-8.");
  public static final Setting<Long> RESULT_LIMIT =
      Setting.bytes(
          "tasks-result-limit",
          "512KiB",
          KIB,
          16 * MIB,
          "The largest result of a task, as JSON; a task that says more is FAILED.");

  private TaskSettings() {}

  static List<Setting<?>> list() {
    return List.of(
        RUNNING,
        QUEUED,
        TIME_LIMIT,
        ATTEMPTS,
        RETENTION,
        STORE_MIB,
        PROMPT_LIMIT,
        RESULT_LIMIT,
        FIEDLER_IMPERATOR_FILE);
  }
}
