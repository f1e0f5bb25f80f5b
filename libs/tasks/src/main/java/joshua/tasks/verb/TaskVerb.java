package joshua.tasks.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code task}: one task, whole; or its end. */
@Command(name = "task", description = "Shows a task, or ends it.")
public final class TaskVerb implements Verb {
  @Parameters(paramLabel = "ID", description = "The task.")
  private String id;

  @Option(names = "--cancel", description = "End it.")
  private boolean cancel;

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("task_id", id);
    if (cancel) {
      session.call(session.service() + "_cancel_task", input);
    }
    ObjectNode task = session.call(session.service() + "_get_task_status", input);
    session.out().json(task);
    session
        .out()
        .line(
            "%s, created at %s, updated at %s"
                .formatted(
                    task.path("status").asText(),
                    task.path("created_at").asText(),
                    task.path("updated_at").asText()));
    session.out().line("prompt: " + task.path("prompt").asText());
    task.path("result_payload").path("text").asText().lines().forEach(session.out()::line);
    JsonNode error = task.path("error_details");
    if (error.isObject()) {
      ("error: " + error.path("message").asText()).lines().forEach(session.out()::line);
      error
          .path("stack_trace")
          .asText()
          .lines()
          .forEach(line -> session.out().line(line.replace("\t", "  ")));
    }
  }
}
