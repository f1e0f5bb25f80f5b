package joshua.testing.admins;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.AdminCaller;
import joshua.ssh.AdminConsole;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;

/** A simulated admin that runs verbs, by a script or at a terminal, and keeps their output. */
public final class ScriptedAdmin implements AdminConsole {
  private final CommandHost host;
  private final AdminCaller adminCaller;
  private final Optional<Size> terminal;

  // Written by the thread that runs the verb, and read by the test's.
  @SuppressWarnings("JdkObsolete")
  private final StringBuffer out = new StringBuffer();

  @SuppressWarnings("JdkObsolete")
  private final StringBuffer err = new StringBuffer();

  private volatile boolean gone;

  private ScriptedAdmin(CommandHost host, String name, Role role, Optional<Size> terminal) {
    this.host = host;
    this.adminCaller =
        new AdminCaller(name, role, Optional.of("SHA256:test"), "127.0.0.1:50000", "1");
    this.terminal = terminal;
  }

  /** An admin that runs verbs by script. */
  public static ScriptedAdmin of(CommandHost host, String name, Role role) {
    return new ScriptedAdmin(host, name, role, Optional.empty());
  }

  /** An admin at a terminal. */
  public static ScriptedAdmin atTerminal(
      CommandHost host, String name, Role role, int columns, int rows) {
    return new ScriptedAdmin(host, name, role, Optional.of(new Size(columns, rows)));
  }

  /** Runs a command line; discards earlier output. */
  public ExitStatus run(String line) {
    out.setLength(0);
    err.setLength(0);
    return host.run(line, adminCaller, this);
  }

  /** Runs a verb that answers in JSON; returns the answer. */
  public JsonNode json(String line) throws Json.MalformedJsonException {
    ExitStatus status = run(line + " -o json");
    if (status != ExitStatus.OK) {
      throw new AssertionError(line + ": " + status + " " + told());
    }
    return Json.parse(shown());
  }

  /** Completions of the last of these words. */
  public List<String> candidates(String... words) {
    return host.complete(List.of(words), adminCaller);
  }

  /** The output that is the answer. */
  public String shown() {
    return out.toString();
  }

  /** The lines of {@link #shown}, with each run of blanks as one. */
  public List<String> lines() {
    return shown().lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
  }

  /** The output that isn't the answer. */
  public String told() {
    return err.toString();
  }

  /** Disconnects the admin, so that it no longer sees output. */
  public void leave() {
    gone = true;
  }

  @Override
  public void out(String text) {
    out.append(text);
  }

  @Override
  public void err(String text) {
    err.append(text);
  }

  @Override
  public boolean gone() {
    return gone;
  }

  @Override
  public Optional<Size> terminal() {
    return terminal;
  }
}
