package joshua.tasks;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The settings of the limits of tasks, for each service that has some (+FD-13). */
public final class TaskSettings {
  @Option(
      names = "--tasks-running",
      defaultValue = "16",
      paramLabel = "N",
      description = "Tasks that are thought about at the same time.")
  private int running;

  @Option(
      names = "--tasks-queued",
      defaultValue = "10000",
      paramLabel = "N",
      description = "Tasks that may wait for that.")
  private int queued;

  @Option(
      names = "--tasks-time-limit",
      defaultValue = "600",
      paramLabel = "SECONDS",
      description = "How long a task may take.")
  private int timeLimit;

  @Option(
      names = "--tasks-retention-days",
      defaultValue = "30",
      paramLabel = "N",
      description = "How long ended tasks are kept.")
  private int retentionDays;

  public TaskLimits limits() {
    return new TaskLimits(
        running, queued, Duration.ofSeconds(timeLimit), Duration.ofDays(retentionDays));
  }
}
