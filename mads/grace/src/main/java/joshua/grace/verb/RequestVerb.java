package joshua.grace.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code request}: a message to one participant, and its reply. */
@Command(name = "request", description = "Sends to a participant, and shows its reply.")
public final class RequestVerb implements Verb {
  @Parameters(index = "0", paramLabel = "TO", description = "A participant's name.")
  private String to;

  @Parameters(
      index = "1",
      paramLabel = "MESSAGE",
      description = "A JSON object, or words that become {\"text\":\"…\"}.")
  private String message;

  @Option(names = "--as", paramLabel = "NAME", description = "Who asks; without it, grace.")
  private @Nullable String sender;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long to wait for the reply, at most 25 s.")
  private int waitSeconds;

  @Override
  public Role role() {
    return Role.OPERATOR;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("to", to).put("timeout_ms", waitSeconds * 1_000L);
    input.set("payload", SendVerb.payload(message));
    if (sender != null) {
      input.put("client_id", sender);
    }
    ObjectNode answer = session.call("grace_request", input);
    session.out().json(answer);
    if (answer.path("reply").isNull()) {
      throw new VerbFailedException(
          Refusal.of(
              ErrorCode.NOT_SUBSCRIBED, "No reply came: %s.".formatted(SendVerb.audience(answer))));
    }
    session.out().line(answer.path("reply").path("payload").toString());
  }
}
