package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.ClientQuestion;
import joshua.network.ToolResult;
import joshua.network.UnmetRequirementException;

/**
 * {@code tasks/get}, {@code tasks/update} and {@code tasks/cancel}, of the tasks extension. The
 * latter two change something, so viewers may not call them, as with tools (+JN-04).
 */
final class TaskMethods {
  private final Optional<McpTaskService> desk;
  private final ResultShapes resultShapes;

  TaskMethods(McpService service, ResultShapes resultShapes) {
    this.desk = service.tasks();
    this.resultShapes = resultShapes;
  }

  boolean isServed() {
    return desk.isPresent();
  }

  ObjectNode get(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    TaskView task = task(request, meta, requestContext);
    ObjectNode result = task.json();
    switch (task.state()) {
      case TaskView.State.InputRequired(Map<String, ClientQuestion> questions) -> {
        ObjectNode requests = result.putObject("inputRequests");
        questions.forEach(
            (key, clientQuestion) -> requests.set(key, ClientRequests.json(clientQuestion)));
      }
      case TaskView.State.Completed(ToolResult outcome) ->
          result.set("result", ResultShapes.call(outcome));
      case TaskView.State.Failed(String message) ->
          result.putObject("error").put("code", RpcError.INTERNAL).put("message", message);
      case TaskView.State.Working _, TaskView.State.Cancelled _ -> {}
    }
    return resultShapes.complete(result, meta);
  }

  ObjectNode update(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    refuseViewers(requestContext);
    TaskView task = task(request, meta, requestContext);
    Map<String, ObjectNode> answers =
        ElicitationAnswers.read(request.params().path("inputResponses"));
    if (desk.isPresent()) {
      desk.get().answer(task.taskId(), answers, requestContext.caller());
    }
    return resultShapes.complete(Json.object(), meta);
  }

  ObjectNode cancel(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    refuseViewers(requestContext);
    TaskView task = task(request, meta, requestContext);
    if (desk.isPresent()) {
      desk.get().cancel(task.taskId(), requestContext.caller());
    }
    return resultShapes.complete(Json.object(), meta);
  }

  private static void refuseViewers(RequestContext requestContext)
      throws RpcError.RpcFailureException {
    if (requestContext.caller().role() == Role.VIEWER) {
      throw new RpcError.RpcFailureException(
          RpcError.refused(
              Refusal.of(
                  ErrorCode.FORBIDDEN,
                  "The token's role is viewer, and this changes a task; it needs operator.")));
    }
  }

  boolean exists(String taskId, Caller caller) {
    return desk.flatMap(tasks -> tasks.find(taskId, caller)).isPresent();
  }

  /** The notification about a task that has moved on. */
  Optional<ObjectNode> told(String taskId, Caller caller) {
    return desk.flatMap(tasks -> tasks.find(taskId, caller)).map(TaskView::json);
  }

  private TaskView task(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    if (!meta.capabilities().takesTasks()) {
      throw new RpcError.RpcFailureException(
          RpcError.missingCapability(
              UnmetRequirementException.MissingCapabilityException.toTakeTasks().required()));
    }
    String id = request.params().path("taskId").asText();
    return desk.flatMap(tasks -> tasks.find(id, requestContext.caller()))
        .orElseThrow(() ->
            new RpcError.RpcFailureException(
                RpcError.invalidParams("There is no task of that id.")));
  }
}
