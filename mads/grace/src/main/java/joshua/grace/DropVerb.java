package joshua.grace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code drop}: takes a client's queue away, and with it what waits there. */
@Command(
    name = "drop",
    description = "End a client's subscriptions and throw away what waits for it.",
    footer = {
      "",
      "Needs the role operator. The client is told at its next call that its queue was taken away",
      "(gap: evicted), and may subscribe again. Example:",
      "  drop ann"
    })
final class DropVerb extends Verb {
  private final Clients clients;

  @Parameters(index = "0", paramLabel = "ID", description = "Which client.")
  private String id = "";

  DropVerb(Clients clients) {
    this.clients = clients;
  }

  @Override
  public Role role() {
    return Role.OPERATOR;
  }

  @Override
  public void run(Access access, Screen screen) throws VerbFailed {
    ClientVerb.check(id);
    Optional<Integer> lost = clients.drop(id, access.name());
    if (lost.isEmpty()) {
      throw ClientVerb.none(clients, id);
    }
    ObjectNode tree = Json.object().put("client_id", id).put("messages_lost", lost.get());
    String sentence =
        "%s has no queue any more; %d messages were thrown away, and it will be told."
            .formatted(id, lost.get());
    screen.show(new Report(tree, () -> List.of(Line.of(sentence))));
  }

  @Override
  public List<String> candidates(List<String> before, Access access) {
    return before.isEmpty() ? ClientVerb.offered(clients) : List.of();
  }
}
