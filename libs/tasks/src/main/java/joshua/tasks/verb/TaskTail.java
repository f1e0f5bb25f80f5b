package joshua.tasks.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import joshua.kernel.Json;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.OutputFormat;
import joshua.ssh.VerbFailedException;
import joshua.tasks.model.TaskState;
import joshua.tasks.tool.LocalToolClient;

/** Shows the text of one task as it streams, from its beginning to its end (REQ-FD-07). */
final class TaskTail {
  /** How long one request for more waits until there is more. */
  private static final Duration WAIT = Duration.ofSeconds(2);

  private final LocalToolClient calls;
  private final AdminCaller adminCaller;
  private final CommandOutput commandOutput;
  private boolean lineOpen;

  TaskTail(LocalToolClient calls, AdminCaller adminCaller, CommandOutput commandOutput) {
    this.calls = calls;
    this.adminCaller = adminCaller;
    this.commandOutput = commandOutput;
  }

  /**
   * Shows the text until the task has ended or the client has gone.
   *
   * @throws VerbFailedException if the task is FAILED, with the task's message
   */
  void follow(String taskId) throws VerbFailedException, InterruptedException {
    long next = 0;
    int attempt = 1;
    while (!commandOutput.gone()) {
      ObjectNode input =
          Json.object()
              .put("task_id", taskId)
              .put("from_sequence", next)
              .put("wait_ms", WAIT.toMillis());
      ObjectNode answer = calls.call("get_stream", input, adminCaller);
      if (answer.path("attempt").asInt() > attempt) {
        // Sequences restart with each attempt, and these are of the latest.
        attempt = answer.path("attempt").asInt();
        if (next > 0) {
          next = 0;
          continue;
        }
      }
      for (JsonNode frame : answer.path("frames")) {
        next = frame.path("sequence").asLong() + 1;
        show(frame);
      }
      if (answer.path("final").asBoolean()) {
        ended(taskId);
        return;
      }
    }
  }

  private void show(JsonNode frame) {
    if (commandOutput.format() == OutputFormat.JSON) {
      commandOutput.json(frame);
      return;
    }
    if (frame.path("restart").asBoolean(false)) {
      endLine();
      commandOutput.remark("the task begins anew; what came before is void");
    }
    String text = frame.path("token").asText();
    if (!text.isEmpty()) {
      commandOutput.text(text);
      lineOpen = !text.endsWith("\n");
    }
    if (frame.path("final").asBoolean()) {
      endLine();
    }
  }

  private void endLine() {
    if (lineOpen) {
      commandOutput.text("\n");
      lineOpen = false;
    }
  }

  private void ended(String taskId) throws VerbFailedException, InterruptedException {
    ObjectNode task =
        calls.call("get_task_status", Json.object().put("task_id", taskId), adminCaller);
    if (task.path("status").asText().equals(TaskState.FAILED.name())) {
      throw VerbFailedException.refused(task.at("/error_details/message").asText());
    }
  }
}
