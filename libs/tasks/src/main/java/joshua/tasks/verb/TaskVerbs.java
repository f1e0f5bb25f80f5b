package joshua.tasks.verb;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import joshua.kernel.TimedWait;
import joshua.network.ToolRegistry;
import joshua.ssh.Verb;
import joshua.tasks.tool.LocalToolClient;
import joshua.tasks.tool.TaskTools;

/** The verbs for tasks, shared by Fiedler and Rogers: {@code tasks}, {@code task}, {@code ask}. */
public final class TaskVerbs {
  private TaskVerbs() {}

  /**
   * The verbs of a MAD.
   *
   * @param mad its name, the prefix of its tools' names
   * @param registry has the tools of {@link TaskTools}
   */
  public static List<Supplier<? extends Verb>> of(
      String mad, ToolRegistry registry, InstantSource time, TimedWait timedWait) {
    LocalToolClient calls = new LocalToolClient(mad, registry);
    return List.of(
        () -> new TasksVerb(calls, time, timedWait),
        () -> new TaskVerb(calls, time),
        () -> new AskVerb(calls));
  }
}
