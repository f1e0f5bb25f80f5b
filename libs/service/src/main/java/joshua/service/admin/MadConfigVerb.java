package joshua.service.admin;

import joshua.ssh.TableVerb;
import picocli.CommandLine.Command;

/** The verb {@code mad-config}, which shows the settings that a service runs with. */
@Command(name = "mad-config", description = "Shows the settings, and where each is from.")
public final class MadConfigVerb extends TableVerb {
  public MadConfigVerb() {
    super("mad_config", "settings", "name", "source", "value");
  }
}
