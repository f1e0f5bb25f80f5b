package joshua.fiedler;

import java.time.Duration;
import joshua.tasks.TaskLimits;
import picocli.CommandLine.Option;

/** The settings of the orchestrator alone. */
public final class FiedlerSettings {
  @Option(
      names = "--tasks-running",
      defaultValue = "16",
      paramLabel = "N",
      description = "Tasks that are thought about at the same time.")
  int running;

  @Option(
      names = "--tasks-queued",
      defaultValue = "10000",
      paramLabel = "N",
      description = "Tasks that may wait for that.")
  int queued;

  @Option(
      names = "--tasks-time-limit",
      defaultValue = "600",
      paramLabel = "SECONDS",
      description = "How long a task may take.")
  int timeLimit;

  @Option(
      names = "--tasks-retention-days",
      defaultValue = "30",
      paramLabel = "N",
      description = "How long ended tasks are kept.")
  int retentionDays;

  TaskLimits limits() {
    return new TaskLimits(
        running, queued, Duration.ofSeconds(timeLimit), Duration.ofDays(retentionDays));
  }
}
