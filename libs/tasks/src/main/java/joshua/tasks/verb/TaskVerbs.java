package joshua.tasks.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs of a service with tasks. */
public final class TaskVerbs {
  private TaskVerbs() {}

  /** {@code ask}: sends a prompt, and shows the answer as it comes. */
  @Command(name = "ask", description = "Asks the service, and shows its answer as it comes.")
  public static final class Ask implements Verb {
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
            Refusal.of(
                ErrorCode.MODEL_FAILED, task.path("error_details").path("message").asText()));
      }
    }

    /** Shows whole lines, and keeps the rest for the next frames. */
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

  /** {@code tasks}: lists the newest tasks. */
  @Command(name = "tasks", description = "Lists tasks, newest first.")
  public static final class Tasks implements Verb {
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
      JsonNode tasks = session.call(session.service() + "_list_tasks", input).path("tasks");
      session.out().json(tasks);
      if (tasks.isEmpty()) {
        String others = kind.equals("work") ? "; questions are listed with --kind all." : ".";
        session.out().line("There are no such tasks" + others);
      }
      session
          .out()
          .table(List.of("task_id", "status", "created_at", "requester_id", "prompt"), tasks);
    }
  }

  /** {@code task}: shows or cancels one task. */
  @Command(name = "task", description = "Shows a task, or ends it.")
  public static final class Task implements Verb {
    @Parameters(paramLabel = "ID", description = "The task, or 6 characters of its end, or more.")
    private String id;

    @Option(names = "--cancel", description = "End it.")
    private boolean cancel;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode input = Json.object().put("task_id", whole(session));
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
        String trace = error.path("stack_trace").asText().replace("\t", "  ");
        trace.lines().forEach(session.out()::line);
      }
    }

    /** The id, of which the beginning or the end may be given. */
    private String whole(VerbSession session) throws VerbFailedException, InterruptedException {
      if (Identifiers.parseUuid(id) != null) {
        return id;
      }
      ObjectNode query = Json.object().put("name", "task");
      query.putObject("arguments").put("id", id);
      ObjectNode found = session.call(session.service() + "_query", query);
      if (found.path("rows").size() != 1) {
        throw new VerbFailedException(
            Refusal.of(ErrorCode.INVALID_INPUT, found.path("sentence").asText()));
      }
      return found.at("/rows/0/task_id").asText();
    }
  }

  /** {@code queue}: lists waiting and running tasks. */
  @Command(name = "queue", description = "Shows how many tasks wait and run.")
  public static final class Queue implements Verb {
    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode answer =
          session.call(session.service() + "_query", Json.object().put("name", "queue"));
      session.out().json(answer);
      session.out().line(answer.path("sentence").asText());
    }
  }
}
