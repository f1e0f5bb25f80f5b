package joshua.fiedler;

import java.time.Duration;
import java.util.List;
import joshua.service.ServiceSettings;
import joshua.tasks.TaskLimits;
import joshua.thought.model.ThoughtSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The settings of the orchestrator alone. */
public final class FiedlerSettings implements ServiceSettings {
  @Mixin private final ThoughtSettings thought = new ThoughtSettings("fiedler");

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

  ThoughtSettings thought() {
    return thought;
  }

  @Override
  public Object own() {
    return thought.own();
  }

  @Override
  public List<String> problems() {
    return thought.problems();
  }

  TaskLimits limits() {
    return new TaskLimits(
        running, queued, Duration.ofSeconds(timeLimit), Duration.ofDays(retentionDays));
  }
}
