package joshua.fiedler;

import java.util.List;
import joshua.service.ServiceSettings;
import joshua.tasks.TaskSettings;
import joshua.thought.model.ThoughtSettings;
import picocli.CommandLine.Mixin;

/** The settings of the orchestrator. */
public final class FiedlerSettings implements ServiceSettings, ThoughtSettings.Owner {
  @Mixin private final ThoughtSettings thought = new ThoughtSettings("fiedler");
  @Mixin private final TaskSettings tasks = new TaskSettings();

  @Override
  public ThoughtSettings thought() {
    return thought;
  }

  TaskSettings tasks() {
    return tasks;
  }

  @Override
  public Object own() {
    return thought.own();
  }

  @Override
  public List<String> problems() {
    return thought.problems();
  }
}
