package joshua.service.admin;

import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;

/** {@code mad-state}: what a service counts. */
@Command(name = "mad-state", description = "Shows which parts are usable, and what is counted.")
public final class MadStateVerb implements Verb {
  @Override
  public Role role() {
    return Role.VIEWER;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    session
        .out()
        .rows(List.of("value", "name"), session.call("mad_state", Json.object()).path("values"));
  }
}
