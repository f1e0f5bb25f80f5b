package joshua.fiedler;

import java.util.List;
import joshua.service.ServiceSettings;
import joshua.tasks.TaskSettings;
import joshua.thought.model.AnswerSettings;
import picocli.CommandLine.Mixin;

/** The settings of the orchestrator. */
public final class FiedlerSettings implements ServiceSettings, AnswerSettings.Owner {
  @Mixin private final AnswerSettings answers = new AnswerSettings("fiedler");
  @Mixin private final TaskSettings tasks = new TaskSettings();

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
    return answers.problems();
  }
}
