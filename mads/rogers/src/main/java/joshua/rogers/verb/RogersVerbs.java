package joshua.rogers.verb;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import joshua.kernel.TimedWait;
import joshua.network.ToolRegistry;
import joshua.ssh.Verb;
import joshua.tasks.tool.LocalToolClient;

/** The admin commands about the bus: who is there, what traffic there is, what was lost. */
public final class RogersVerbs {
  private RogersVerbs() {}

  /**
   * The commands in the order in which help lists them.
   *
   * @param registry its tools
   */
  public static List<Supplier<? extends Verb>> of(
      ToolRegistry registry, InstantSource time, TimedWait timedWait) {
    RogersClient rogersClient = new RogersClient(new LocalToolClient("rogers", registry));
    return List.of(
        () -> new ConnectionsVerb(rogersClient, time, timedWait),
        () -> new StatsVerb(rogersClient),
        () -> new TopicsVerb(rogersClient, time, timedWait),
        () -> new TopVerb(rogersClient, time, timedWait),
        () -> new TraceVerb(rogersClient),
        () -> new DeadLettersVerb(rogersClient, time),
        () -> new LossesVerb(rogersClient, time));
  }
}
