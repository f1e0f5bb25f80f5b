package joshua.grace.verb;

import joshua.ssh.TableVerb;
import picocli.CommandLine.Command;

/** {@code clients}: who has a queue at the relay. */
@Command(name = "clients", description = "Lists the clients of the relay.")
public final class ClientsVerb extends TableVerb {
  public ClientsVerb() {
    super("grace_clients", "clients", "client_id", "state", "waiting", "last_poll_at", "topics");
  }
}
