package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import joshua.kernel.Json;

/** The text of one task, shown as it comes, from its beginning to its end. */
final class TaskStream {
  /** How long one question for more waits at the MAD until there is more. */
  private static final int WAIT_MILLIS = 20_000;

  private final ToolCalls calls;
  private final Surroundings around;
  private boolean lineOpen;

  TaskStream(ToolCalls calls, Surroundings around) {
    this.calls = calls;
    this.around = around;
  }

  /**
   * Shows it until the task has ended or nobody reads any more.
   *
   * @return the exit status: 0 if the task is COMPLETED
   * @throws Refused if the task is FAILED; the message is the task's
   */
  int follow(String taskId, OutputFormat format) throws Refused, Unavailable, InterruptedException {
    int next = 0;
    while (true) {
      ObjectNode input =
          Json.object()
              .put("task_id", taskId)
              .put("from_sequence", next)
              .put("wait_ms", WAIT_MILLIS);
      ObjectNode answer = calls.call("get_stream", input);
      for (JsonNode frame : answer.path("frames")) {
        next = frame.path("sequence").asInt() + 1;
        show(frame, format);
      }
      if (around.out().checkError()) {
        return 0;
      }
      if (answer.path("final").asBoolean()) {
        return ended(taskId);
      }
    }
  }

  private void show(JsonNode frame, OutputFormat format) {
    PrintStream out = around.out();
    if (format == OutputFormat.JSON) {
      out.println(Json.write(frame));
      return;
    }
    if (frame.path("restart").asBoolean(false)) {
      endLine();
      out.flush();
      around.err().println("joshua: the task begins anew; what came before is void");
      around.err().flush();
    }
    String text = frame.path("token").asText();
    if (!text.isEmpty()) {
      out.print(Printable.lines(text));
      lineOpen = !text.endsWith("\n");
    }
    if (frame.path("final").asBoolean()) {
      endLine();
    }
    out.flush();
  }

  private void endLine() {
    if (lineOpen) {
      around.out().println();
      lineOpen = false;
    }
  }

  private int ended(String taskId) throws Refused, Unavailable, InterruptedException {
    ObjectNode task = calls.call("get_task_status", Json.object().put("task_id", taskId));
    if (task.path("status").asText().equals("FAILED")) {
      throw new Refused(task.at("/error_details/message").asText());
    }
    return 0;
  }
}
