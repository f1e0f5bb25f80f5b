package joshua.service.admin;

import joshua.ssh.TableVerb;
import picocli.CommandLine.Command;

/** {@code mad-state}: what a service counts. */
@Command(name = "mad-state", description = "Shows what the service counts.")
public final class MadStateVerb extends TableVerb {
  public MadStateVerb() {
    super("mad_state", "values", "value", "name");
  }
}
