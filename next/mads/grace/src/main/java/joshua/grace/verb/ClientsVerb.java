package joshua.grace.verb;

import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;

/** {@code clients}: who has a queue at the relay. */
@Command(name = "clients", description = "Lists the clients of the relay.")
public final class ClientsVerb implements Verb {
  @Override
  public Role role() {
    return Role.VIEWER;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    session
        .out()
        .rows(
            List.of("client_id", "state", "waiting", "last_poll_at", "topics"),
            session.call("grace_clients", Json.object()).path("clients"));
  }
}
