package joshua.tasks.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;

/** {@code queue}: what waits and what runs. */
@Command(name = "queue", description = "Shows how many tasks wait and run.")
public final class QueueVerb implements Verb {
  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode answer =
        session.call(session.service() + "_query", Json.object().put("name", "queue"));
    session.out().json(answer);
    session.out().line(answer.path("sentence").asText());
  }
}
