package joshua.grace.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbOutput;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code drop}: ends a client's queue. */
@Command(name = "drop", description = "Ends a client's queue at the relay.")
public final class DropVerb implements Verb {
  @Parameters(paramLabel = "CLIENT", description = "Its name; clients lists them.")
  private String client;

  @Override
  public Role role() {
    return Role.OPERATOR;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode answer = session.call("grace_drop_client", Json.object().put("client_id", client));
    VerbOutput out = session.out();
    out.json(answer);
    out.line(
        answer.path("dropped").asBoolean()
            ? "Dropped %s; it is told when it polls next.".formatted(client)
            : "%s has no queue here.".formatted(client));
  }
}
