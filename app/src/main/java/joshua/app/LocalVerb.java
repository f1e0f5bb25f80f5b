package joshua.app;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.ssh.Verb;
import joshua.ssh.VerbHost;
import joshua.ssh.VerbTerminal;

/** A verb that runs in this process, since it needs no group. */
final class LocalVerb {
  private LocalVerb() {}

  /**
   * Runs a verb.
   *
   * @param tool what it shows
   * @return the exit status
   */
  static int run(Class<? extends Verb> verb, Tool<?> tool, List<String> arguments) {
    ToolRegistry tools =
        new ToolRegistry(List.of(tool), InstantSource.system(), new PrometheusRegistry());
    List<String> words = new ArrayList<>(List.of(VerbHost.spec(verb).name()));
    words.addAll(arguments);
    return new VerbHost("joshua", tools, List.of(verb))
        .run(
            words,
            Caller.local(new Connection("local", () -> false)),
            new VerbTerminal(System.out, System.err, ForwardedVerb.columns()));
  }
}
