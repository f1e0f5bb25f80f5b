package joshua.rogers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import joshua.rogers.presence.Registry.Thresholds;
import joshua.service.ServiceSettings;
import joshua.tasks.TaskSettings;
import joshua.thought.model.AnswerSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The settings of the monitor. */
public final class RogersSettings implements ServiceSettings, AnswerSettings.Owner {
  @Mixin private final AnswerSettings answers = new AnswerSettings("rogers");
  @Mixin private final TaskSettings tasks = new TaskSettings();

  @Option(
      names = "--rogers-stale-after",
      defaultValue = "30",
      paramLabel = "SECONDS",
      description = "A participant that is silent for longer is STALE.")
  private int staleAfter;

  @Option(
      names = "--rogers-disconnected-after",
      defaultValue = "120",
      paramLabel = "SECONDS",
      description = "One that is silent for longer is DISCONNECTED.")
  private int disconnectedAfter;

  @Override
  public AnswerSettings answers() {
    return answers;
  }

  TaskSettings tasks() {
    return tasks;
  }

  @Override
  public Object own() {
    return answers.own();
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>(answers.problems());
    if (staleAfter < 1 || staleAfter >= disconnectedAfter) {
      problems.add(
          "JOSHUA_ROGERS_STALE_AFTER (%d) must be at least 1, and less than JOSHUA_ROGERS_DISCONNECTED_AFTER (%d)."
              .formatted(staleAfter, disconnectedAfter));
    }
    return problems;
  }

  Thresholds thresholds() {
    return new Thresholds(Duration.ofSeconds(staleAfter), Duration.ofSeconds(disconnectedAfter));
  }
}
