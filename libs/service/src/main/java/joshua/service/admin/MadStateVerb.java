package joshua.service.admin;

import joshua.ssh.TableVerb;
import picocli.CommandLine.Command;

/** The verb {@code mad-state}, which shows the metrics of a service. */
@Command(name = "mad-state", description = "Shows what the service counts.")
public final class MadStateVerb extends TableVerb {
  public MadStateVerb() {
    super("mad_state", "values", "value", "name");
  }
}
