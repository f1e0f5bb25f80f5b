package joshua.tasks.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tasks}: the newest tasks. */
@Command(name = "tasks", description = "Lists tasks, newest first.")
public final class TasksVerb implements Verb {
  @Option(names = "--of", paramLabel = "NAME", description = "Of one requester.")
  private @Nullable String requester;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "PENDING, RUNNING, STREAMING, COMPLETED or FAILED.")
  private @Nullable String status;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      defaultValue = "work",
      description = "work, question or all; ${DEFAULT-VALUE} if left out.")
  private String kind;

  @Option(names = "-n", paramLabel = "N", defaultValue = "20", description = "How many.")
  private int limit;

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("kind", kind).put("limit", limit);
    input.put("requester_id", requester).put("status", status);
    session
        .out()
        .rows(
            List.of("task_id", "status", "created_at", "requester_id", "prompt"),
            session.call(session.service() + "_list_tasks", input).path("tasks"));
  }
}
