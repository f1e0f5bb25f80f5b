package joshua.rogers;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import joshua.rogers.console.Console;
import joshua.rogers.presence.Registry.Thresholds;
import joshua.service.ServiceSettings;
import joshua.tasks.TaskSettings;
import joshua.thought.model.AnswerSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The settings of the monitor. */
public final class RogersSettings implements ServiceSettings, AnswerSettings.Owner {
  private static final int MAX_RECENT = 100_000;

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

  @Option(
      names = "--rogers-recent",
      defaultValue = "5000",
      paramLabel = "NUMBER",
      description = "Messages that Rogers has in memory for the console; 0 for none.")
  private int recent;

  @Option(
      names = "--rogers-console-services",
      split = ",",
      paramLabel = "NAME=URL",
      description = "Where the services are that the console calls, if not in Rogers' process.")
  private Map<String, URI> consoleServices = Map.of();

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
    if (recent < 0 || recent > MAX_RECENT) {
      problems.add("JOSHUA_ROGERS_RECENT (%d) must be from 0 to %d.".formatted(recent, MAX_RECENT));
    }
    return problems;
  }

  Console.Config console() {
    return new Console.Config(recent, consoleServices);
  }

  Thresholds thresholds() {
    return new Thresholds(Duration.ofSeconds(staleAfter), Duration.ofSeconds(disconnectedAfter));
  }
}
