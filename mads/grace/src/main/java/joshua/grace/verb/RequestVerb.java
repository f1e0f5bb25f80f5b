package joshua.grace.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code request}: a message to one participant, and its reply. */
@Command(name = "request", description = "Sends to a participant, and shows its reply.")
public final class RequestVerb extends SendVerb {
  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long to wait for the reply, at most 25 s.")
  private int waitSeconds;

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("to", to).put("timeout_ms", waitSeconds * 1_000L);
    input.put("client_id", speaker(session));
    input.set("payload", MessageText.payload(message));
    ObjectNode answer = session.call("grace_request", input);
    session.out().json(answer);
    if (answer.path("reply").isNull()) {
      throw new VerbFailedException(
          Refusal.of(
              ErrorCode.NOT_SUBSCRIBED,
              "No reply came: %s.".formatted(MessageText.ofAudience(answer))));
    }
    MessageText.of(answer.path("reply").path("payload")).lines().forEach(session.out()::line);
  }
}
