package joshua.network.conformance;

import static joshua.network.conformance.AskingFixtures.elicit;
import static joshua.network.conformance.AskingFixtures.field;
import static joshua.network.conformance.ConformanceTool.text;
import static joshua.network.conformance.ConformanceTool.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.TimedWait;
import joshua.network.ClientQuestion;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolResult;

/** The fixtures that start tasks. */
final class TaskFixtures {
  private final MemoryTasks tasks;
  private final TimedWait timedWait;

  TaskFixtures(MemoryTasks tasks, TimedWait timedWait) {
    this.tasks = tasks;
    this.timedWait = timedWait;
  }

  List<Tool> all() {
    return List.of(
        tool("slow_compute", this::slowCompute),
        tool("failing_job", call -> required(call, job -> fail())),
        tool(
            "protocol_error_job",
            call ->
                required(
                    call,
                    job -> {
                      throw new IllegalStateException("the job breaks");
                    })),
        tool("confirm_delete", call -> required(call, job -> confirm(call, job))),
        tool("multi_input", call -> required(call, TaskFixtures::several)),
        tool("test_tool_with_task", this::nameThenTask));
  }

  private ToolResult slowCompute(ToolCall call) throws InterruptedException {
    Duration time = Duration.ofMillis((long) (call.input().path("seconds").asDouble() * 1000));
    if (!call.peer().takesTasks()) {
      timedWait.pause(time);
      return text("Computed.");
    }
    return started(job -> {
      timedWait.pause(time);
      return text("Computed.");
    });
  }

  private ToolResult fail() throws InterruptedException {
    timedWait.pause(Duration.ofMillis(300));
    return new ToolResult.Refused(Refusal.of(ErrorCode.CONFLICT, "The job always fails."));
  }

  private static ToolResult confirm(ToolCall call, MemoryTasks.Job job)
      throws InterruptedException {
    job.ask(Map.of("confirm", elicit("Delete it?", field("confirm", "boolean"))));
    return text("Deleted " + call.input().path("filename").asText());
  }

  private static ToolResult several(MemoryTasks.Job job) throws InterruptedException {
    Map<String, ClientQuestion> questions = new LinkedHashMap<>();
    questions.put("first", elicit("Your name?", field("name", "string")));
    questions.put("second", elicit("Really?", field("confirm", "boolean")));
    return text("Answers: " + job.ask(questions).keySet());
  }

  private ToolResult nameThenTask(ToolCall call) throws InterruptedException {
    call.peer().mustTakeTasks();
    ObjectNode answer =
        call.peer().ask("user_name", elicit("What is your name?", field("name", "string")));
    return started(job -> text("Hello, " + answer.path("content").path("name").asText() + "!"));
  }

  private ToolResult required(ToolCall call, MemoryTasks.Work work) {
    call.peer().mustTakeTasks();
    return started(work);
  }

  private ToolResult started(MemoryTasks.Work work) {
    return tasks.start(work, id -> Json.object().put("status", "pending").put("task_id", id));
  }
}
