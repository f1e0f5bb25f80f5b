package joshua.service.admin;

import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;

/** {@code mad-config}: the settings that a service runs with. */
@Command(name = "mad-config", description = "Shows the settings, and where each is from.")
public final class MadConfigVerb implements Verb {
  @Override
  public Role role() {
    return Role.VIEWER;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    session
        .out()
        .rows(
            List.of("name", "source", "value"),
            session.call("mad_config", Json.object()).path("settings"));
  }
}
