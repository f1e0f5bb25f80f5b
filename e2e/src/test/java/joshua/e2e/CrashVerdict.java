package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks what must be true of every task after a crash matrix; violations go to the report. */
final class CrashVerdict {
  private static final String ABANDONED = "The service stopped while it ran";

  private final TaskReader reader;
  private final TaskStreamListener ear;
  private final Map<String, CrashRequest> byPrompt = new HashMap<>();
  private final CrashReport report;

  CrashVerdict(
      TaskReader reader, TaskStreamListener ear, List<CrashRequest> requests, CrashReport report) {
    this.reader = reader;
    this.ear = ear;
    this.report = report;
    requests.forEach(request -> byPrompt.put(request.prompt(), request));
  }

  void give() {
    Map<String, String> promptOf = new LinkedHashMap<>();
    for (JsonNode summary : reader.all()) {
      JsonNode task = reader.status(summary.path("task_id").asText());
      String prompt = task.path("prompt").asText();
      promptOf.put(task.path("task_id").asText(), prompt);
      check(task, byPrompt.get(prompt));
    }
    byPrompt.forEach((prompt, request) -> {
      Set<String> tasks =
          promptOf.entrySet().stream()
              .filter(each -> each.getValue().equals(prompt))
              .map(Map.Entry::getKey)
              .collect(Collectors.toSet());
      if (tasks.size() > 1) {
        report.fault("%s became several tasks: %s".formatted(prompt, tasks));
      }
      if (!request.task().map(tasks::contains).orElse(true)) {
        report.fault("%s was accepted as %s, which is gone".formatted(prompt, request.task()));
      }
      report.asked(request, !tasks.isEmpty());
    });
  }

  private void check(JsonNode task, CrashRequest request) {
    String id = task.path("task_id").asText();
    String status = task.path("status").asText();
    TaskStream taskStream = ear.voice(id);
    List<JsonNode> told = ear.notifications(id);
    taskStream.faults().forEach(fault -> report.fault(id + ": " + fault));
    require(TaskReader.isFinal(status), task, "has not ended");
    require(taskStream.status().equals(status), task, "its stream tells " + taskStream.status());
    require(
        taskStream.payloads().equals(reader.frames(id)),
        task,
        "was heard as " + taskStream.payloads());
    notified(task, told);
    boolean abandoned = task.at("/error_details/message").asText().startsWith(ABANDONED);
    if (request == null) {
      require(false, task, "was never asked for");
    } else if (status.equals("COMPLETED")) {
      completed(task, request, taskStream);
    } else {
      require(
          abandoned || request.subject() == CrashRequest.Subject.NONSENSE, task, "should not fail");
    }
    voiced(task, request, taskStream);
    report.ended(status, abandoned, taskStream, told.size());
  }

  private void notified(JsonNode task, List<JsonNode> told) {
    long ids = told.stream().map(each -> each.path("message_id").asText()).distinct().count();
    require(ids == 1, task, "was told of under %d ids".formatted(ids));
    for (JsonNode each : told) {
      JsonNode payload = each.path("payload");
      require(
          payload.path("status").equals(task.path("status"))
              && payload.path("result").equals(task.path("result_payload"))
              && payload.at("/error/message").equals(task.at("/error_details/message")),
          task,
          "was told of as " + payload);
    }
  }

  private void completed(JsonNode task, CrashRequest request, TaskStream taskStream) {
    if (request.way() == CrashRequest.Way.SEND) {
      JsonNode answers = task.at("/result_payload/answers");
      require(answers.size() == 2, task, "has not two answers");
      for (JsonNode answer : answers) {
        String text = answer.path("text").asText();
        String heard = taskStream.texts().getOrDefault(answer.path("model").asText(), "");
        require(text.equals(request.subject().text), task, "has another text");
        require(heard.equals(text), task, "was heard as " + heard);
      }
    } else {
      String text = task.at("/result_payload/text").asText();
      require(text.equals(request.subject().text), task, "has another text");
      require(taskStream.text().equals(text), task, "was heard as " + taskStream.text());
    }
  }

  /** What was received of a converse, in any attempt, is a beginning of its text. */
  private void voiced(JsonNode task, CrashRequest request, TaskStream taskStream) {
    if (request != null && request.way() != CrashRequest.Way.SEND) {
      String text = request.subject().text;
      boolean all =
          text.startsWith(taskStream.text())
              && taskStream.voided().stream().allMatch(text::startsWith);
      require(
          all,
          task,
          "was heard as %s, and before as %s".formatted(taskStream.text(), taskStream.voided()));
    }
  }

  private void require(boolean fact, JsonNode task, String otherwise) {
    if (!fact) {
      report.fault("%s %s".formatted(task, otherwise));
    }
  }
}
