package joshua.grace.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.grace.presence.ClientRegistry;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code drop}: takes a client's queue away, with the messages that wait in it. */
@Command(
    name = "drop",
    description = "End a client's subscriptions and throw away what waits for it.",
    footer = {
      "",
      "Needs the role operator. The client is told at its next call that its queue was taken away",
      "(gap: evicted), and may subscribe again. Example:",
      "  drop ann"
    })
public final class DropVerb extends Verb {
  private final ClientRegistry clientRegistry;

  @Parameters(index = "0", paramLabel = "ID", description = "Which client.")
  private String id = "";

  public DropVerb(ClientRegistry clientRegistry) {
    this.clientRegistry = clientRegistry;
  }

  @Override
  public Role role() {
    return Role.OPERATOR;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput) throws VerbFailedException {
    ClientVerb.check(id);
    Optional<Integer> lost = clientRegistry.drop(id, adminCaller.name());
    if (lost.isEmpty()) {
      throw ClientVerb.none(clientRegistry, id);
    }
    ObjectNode tree = Json.object().put("client_id", id).put("messages_lost", lost.get());
    String sentence =
        "%s has no queue any more; %d messages were thrown away, and it will be told."
            .formatted(id, lost.get());
    commandOutput.show(new VerbReport(tree, () -> List.of(StyledLine.of(sentence))));
  }

  @Override
  public List<String> candidates(List<String> before, AdminCaller adminCaller) {
    return before.isEmpty() ? ClientVerb.offered(clientRegistry) : List.of();
  }
}
