package joshua.tasks.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ask}: a prompt, whose answer is shown as it comes. */
@Command(name = "ask", description = "Asks the service, and shows its answer as it comes.")
public final class AskVerb implements Verb {
  private static final int WAIT_MS = 30_000;

  @Parameters(arity = "1..*", paramLabel = "WORD", description = "What to ask; help shows what.")
  private List<String> words;

  @Option(
      names = "--as",
      paramLabel = "NAME",
      defaultValue = "admin",
      description = "Who asks; admin, if left out.")
  private String requester;

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("prompt", String.join(" ", words));
    input.put("requester_id", session.caller().identity().orElse(requester));
    ObjectNode accepted = session.call(session.service() + "_converse", input);
    ObjectNode which = Json.object().set("task_id", accepted.get("task_id"));
    StringBuilder line = new StringBuilder();
    for (int next = 0, attempt = 0; ; ) {
      ObjectNode part =
          session.call(
              session.service() + "_get_stream",
              which.deepCopy().put("from_sequence", next).put("wait_ms", WAIT_MS));
      if (attempt != 0 && attempt != part.path("attempt").asInt()) {
        session.out().note("It was begun again; what came before is void.");
        line.setLength(0);
        next = 0;
        attempt = 0;
        continue;
      }
      attempt = part.path("attempt").asInt();
      next = part.path("next_sequence").asInt();
      show(session, part.path("frames"), line);
      if (part.path("frames").path(part.path("frames").size() - 1).path("final").asBoolean()) {
        break;
      }
    }
    if (!line.isEmpty()) {
      session.out().line(line.toString());
    }
    ObjectNode task = session.call(session.service() + "_get_task_status", which);
    session.out().json(task);
    if (task.path("status").asText().equals("FAILED")) {
      throw new VerbFailedException(
          Refusal.of(ErrorCode.MODEL_FAILED, task.path("error_details").path("message").asText()));
    }
  }

  /** Shows whole lines; the rest is kept for the next part. */
  private static void show(VerbSession session, JsonNode frames, StringBuilder line) {
    for (JsonNode frame : frames) {
      line.append(frame.path("token").asText());
    }
    for (int end = line.indexOf("\n"); end >= 0; end = line.indexOf("\n")) {
      session.out().line(line.substring(0, end));
      line.delete(0, end + 1);
    }
  }
}
