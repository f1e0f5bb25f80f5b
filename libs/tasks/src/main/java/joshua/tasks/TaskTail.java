package joshua.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import joshua.kernel.Json;
import joshua.ssh.Access;
import joshua.ssh.OutputFormat;
import joshua.ssh.Screen;
import joshua.ssh.VerbFailed;

/** The text of one task, shown as it comes, from its beginning to its end (REQ-FD-07). */
final class TaskTail {
  /** How long one question for more waits until there is more. */
  private static final Duration WAIT = Duration.ofSeconds(2);

  private final VerbCalls calls;
  private final Access access;
  private final Screen screen;
  private boolean lineOpen;

  TaskTail(VerbCalls calls, Access access, Screen screen) {
    this.calls = calls;
    this.access = access;
    this.screen = screen;
  }

  /**
   * Shows it until the task has ended or nobody reads any more.
   *
   * @throws VerbFailed if the task is FAILED; the sentence is the task's
   */
  void follow(String taskId) throws VerbFailed, InterruptedException {
    long next = 0;
    int attempt = 1;
    while (!screen.gone()) {
      ObjectNode input =
          Json.object()
              .put("task_id", taskId)
              .put("from_sequence", next)
              .put("wait_ms", WAIT.toMillis());
      ObjectNode answer = calls.call("get_stream", input, access);
      if (answer.path("attempt").asInt() > attempt) {
        // Sequences begin anew with each attempt, and these are of the latest.
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
    if (screen.format() == OutputFormat.JSON) {
      screen.json(frame);
      return;
    }
    if (frame.path("restart").asBoolean(false)) {
      endLine();
      screen.remark("the task begins anew; what came before is void");
    }
    String text = frame.path("token").asText();
    if (!text.isEmpty()) {
      screen.text(text);
      lineOpen = !text.endsWith("\n");
    }
    if (frame.path("final").asBoolean()) {
      endLine();
    }
  }

  private void endLine() {
    if (lineOpen) {
      screen.text("\n");
      lineOpen = false;
    }
  }

  private void ended(String taskId) throws VerbFailed, InterruptedException {
    ObjectNode task = calls.call("get_task_status", Json.object().put("task_id", taskId), access);
    if (task.path("status").asText().equals(TaskState.FAILED.name())) {
      throw VerbFailed.refused(task.at("/error_details/message").asText());
    }
  }
}
