package joshua.app.verbs;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import joshua.app.LogRing;
import joshua.app.audit.AuditStore;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import joshua.network.ReadinessCheck;
import joshua.network.ToolRegistry;
import joshua.ssh.StateView;
import joshua.ssh.Verb;

/**
 * What a MAD reports about itself through the commands that every MAD has.
 *
 * @param listeners where it listens so far
 * @param checks what has to be usable before it is ready
 * @param states the parts of its state, by the name that follows {@code mad-state}
 * @param log of its process
 */
public record MadSelfReport(
    String name,
    String version,
    Instant startedAt,
    Supplier<List<Listener>> listeners,
    Supplier<List<ReadinessCheck>> checks,
    List<StateView> states,
    ToolRegistry tools,
    Settings settings,
    LogRing log,
    AuditStore audit,
    TimedWait pause) {

  /**
   * An address of the MAD.
   *
   * @param name {@code http}, {@code ssh} or {@code socket}
   * @param remark further information, for instance a fingerprint; may be empty
   */
  public record Listener(String name, String address, String remark) {}

  /** The admin commands of every MAD. */
  public List<Supplier<? extends Verb>> verbs() {
    return List.of(
        () -> new MadStatusVerb(this),
        () -> new MadLogsVerb(this),
        () -> new MadStateVerb(states),
        () -> new MadConfigVerb(settings),
        () -> new ToolsVerb(tools),
        () -> new ToolVerb(tools));
  }
}
