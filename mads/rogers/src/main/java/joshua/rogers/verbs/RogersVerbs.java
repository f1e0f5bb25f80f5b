package joshua.rogers.verbs;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import joshua.kernel.Pause;
import joshua.network.ToolRegistry;
import joshua.ssh.Verb;
import joshua.tasks.VerbCalls;

/** The verbs about the bus: who is there, what flows, what was lost. */
public final class RogersVerbs {
  private RogersVerbs() {}

  /**
   * In the order in which help lists them.
   *
   * @param registry his tools
   */
  public static List<Supplier<? extends Verb>> of(
      ToolRegistry registry, InstantSource time, Pause pause) {
    Inquiries inquiries = new Inquiries(new VerbCalls("rogers", registry));
    return List.of(
        () -> new ConnectionsVerb(inquiries, time, pause),
        () -> new StatsVerb(inquiries),
        () -> new TopicsVerb(inquiries, time, pause),
        () -> new TopVerb(inquiries, time, pause),
        () -> new TraceVerb(inquiries),
        () -> new DeadLettersVerb(inquiries, time),
        () -> new LossesVerb(inquiries, time));
  }
}
