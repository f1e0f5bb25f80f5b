package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trace}: the messages of a conversation, as far as somebody keeps them. */
@Command(name = "trace", description = "Shows the messages of a conversation.")
public final class TraceVerb implements Verb {
  @Parameters(paramLabel = "ID", description = "Its conversation_id.")
  private String id;

  @Override
  public Role role() {
    return Role.VIEWER;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode answer =
        session.call(
            session.service() + "_get_conversation", Json.object().put("conversation_id", id));
    session.out().json(answer);
    session.out().line(answer.path("note").asText());
  }
}
