package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.Question;
import joshua.network.ToolResult;
import joshua.network.Unmet;

/**
 * {@code tasks/get}, {@code tasks/update} and {@code tasks/cancel}, of the tasks extension. The
 * latter two change something, and so a viewer may not call them, as with tools (+JN-04).
 */
final class TaskMethods {
  private final Optional<TaskDesk> desk;
  private final Results results;

  TaskMethods(McpService service, Results results) {
    this.desk = service.tasks();
    this.results = results;
  }

  boolean isServed() {
    return desk.isPresent();
  }

  ObjectNode get(Rpc.Request request, RequestMeta meta, Exchange exchange) throws RpcError.Failure {
    TaskView task = task(request, meta, exchange);
    ObjectNode result = task.json();
    switch (task.state()) {
      case TaskView.State.InputRequired(Map<String, Question> questions) -> {
        ObjectNode requests = result.putObject("inputRequests");
        questions.forEach((key, question) -> requests.set(key, Asking.json(question)));
      }
      case TaskView.State.Completed(ToolResult outcome) ->
          result.set("result", Results.call(outcome));
      case TaskView.State.Failed(String message) ->
          result.putObject("error").put("code", RpcError.INTERNAL).put("message", message);
      case TaskView.State.Working _, TaskView.State.Cancelled _ -> {}
    }
    return results.complete(result, meta);
  }

  ObjectNode update(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure {
    refuseViewers(exchange);
    TaskView task = task(request, meta, exchange);
    Map<String, ObjectNode> answers = Answers.read(request.params().path("inputResponses"));
    if (desk.isPresent()) {
      desk.get().answer(task.taskId(), answers, exchange.caller());
    }
    return results.complete(Json.object(), meta);
  }

  ObjectNode cancel(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure {
    refuseViewers(exchange);
    TaskView task = task(request, meta, exchange);
    if (desk.isPresent()) {
      desk.get().cancel(task.taskId(), exchange.caller());
    }
    return results.complete(Json.object(), meta);
  }

  private static void refuseViewers(Exchange exchange) throws RpcError.Failure {
    if (exchange.caller().role() == Role.VIEWER) {
      throw new RpcError.Failure(
          RpcError.refused(
              Refusal.of(
                  ErrorCode.FORBIDDEN,
                  "The token's role is viewer, and this changes a task; it needs operator.")));
    }
  }

  boolean exists(String taskId, Caller caller) {
    return desk.flatMap(tasks -> tasks.find(taskId, caller)).isPresent();
  }

  /** What is told of a task that has moved on. */
  Optional<ObjectNode> told(String taskId, Caller caller) {
    return desk.flatMap(tasks -> tasks.find(taskId, caller)).map(TaskView::json);
  }

  private TaskView task(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure {
    if (!meta.capabilities().takesTasks()) {
      throw new RpcError.Failure(
          RpcError.missingCapability(Unmet.Capability.toTakeTasks().required()));
    }
    String id = request.params().path("taskId").asText();
    return desk.flatMap(tasks -> tasks.find(id, exchange.caller()))
        .orElseThrow(
            () -> new RpcError.Failure(RpcError.invalidParams("There is no task of that id.")));
  }
}
