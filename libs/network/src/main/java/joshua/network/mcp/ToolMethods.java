package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Tool;
import joshua.network.ToolResult;
import joshua.network.ToolSet;
import joshua.network.UnmetRequirementException;

/** {@code tools/list} and {@code tools/call}. */
final class ToolMethods {
  private final ToolSet toolSet;
  private final Optional<McpTaskService> tasks;
  private final ResultShapes resultShapes;
  private final ClientRequests clientRequests;

  ToolMethods(McpService service, ResultShapes resultShapes, ClientRequests clientRequests) {
    this.toolSet = service.tools();
    this.tasks = service.tasks();
    this.resultShapes = resultShapes;
    this.clientRequests = clientRequests;
  }

  ObjectNode list(RequestMeta meta) {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("tools");
    toolSet.specs().forEach(spec -> list.add(ResultShapes.tool(spec)));
    return resultShapes.cacheable(result, ResultShapes.LIST_TTL_MILLIS, true, meta);
  }

  /** Executes the call, in the order of arrival; its answer may come later. */
  McpEngine.Outcome call(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    JsonNode name = request.params().path("name");
    if (!name.isTextual()) {
      throw new RpcError.RpcFailureException(RpcError.missingMeta("params.name must be a string."));
    }
    if (toolSet.spec(name.asText()).isEmpty()) {
      toolSet.countRefusal(ErrorCode.UNKNOWN_TOOL);
      throw new RpcError.RpcFailureException(
          RpcError.invalidParams("There is no tool of that name."));
    }
    JsonNode arguments = request.params().path("arguments");
    if (!arguments.isMissingNode() && !arguments.isObject()) {
      throw new RpcError.RpcFailureException(
          RpcError.invalidParams("params.arguments must be an object."));
    }
    ObjectNode input = arguments instanceof ObjectNode object ? object : Json.object();
    long waitMillis = requestContext.rate().take();
    if (waitMillis > 0) {
      return McpEngine.Outcome.now(resultShapes.complete(rateLimited(waitMillis), meta));
    }
    CallPeer peer = clientRequests.peer(request, meta, requestContext);
    try {
      Tool.Answer answer = toolSet.begin(name.asText(), input, requestContext.caller(), peer);
      if (answer instanceof Tool.Ready(ToolResult ready)
          && !startsTask(ready)
          && !ready.isLarge()) {
        return McpEngine.Outcome.now(resultShapes.complete(ResultShapes.call(ready), meta));
      }
      return McpEngine.Outcome.later(() -> await(answer, request, meta, requestContext, peer));
    } catch (UnmetRequirementException e) {
      return McpEngine.Outcome.now(unmet(e, request, meta, requestContext, peer));
    }
  }

  private ObjectNode await(
      Tool.Answer answer,
      JsonRpc.Request request,
      RequestMeta meta,
      RequestContext requestContext,
      CallPeer peer)
      throws InterruptedException, RpcError.RpcFailureException {
    try {
      return shown(answer.await(), meta, requestContext);
    } catch (UnmetRequirementException e) {
      return unmet(e, request, meta, requestContext, peer);
    }
  }

  /** The result in this client's form: a task if it has started one and the client takes those. */
  private ObjectNode shown(ToolResult result, RequestMeta meta, RequestContext requestContext) {
    if (startsTask(result)
        && meta.isModern()
        && meta.capabilities().takesTasks()
        && result instanceof ToolResult.Success success) {
      Optional<TaskView> task =
          success
              .taskId()
              .flatMap(id -> tasks.flatMap(desk -> desk.find(id, requestContext.caller())));
      if (task.isPresent()) {
        return resultShapes.typed("task", task.get().json(), meta);
      }
    }
    return resultShapes.complete(ResultShapes.call(result), meta);
  }

  private static boolean startsTask(ToolResult result) {
    return result instanceof ToolResult.Success success && success.taskId().isPresent();
  }

  /**
   * Legacy clients have no error code for a missing capability, so it is reported as a tool error.
   */
  private ObjectNode unmet(
      UnmetRequirementException unmetRequirementException,
      JsonRpc.Request request,
      RequestMeta meta,
      RequestContext requestContext,
      CallPeer peer)
      throws RpcError.RpcFailureException {
    if (!meta.isModern()) {
      return ResultShapes.refused(
          Refusal.of(
              ErrorCode.INVALID_INPUT,
              "The tool can't go on: " + unmetRequirementException.getMessage() + "."));
    }
    return clientRequests.unmet(unmetRequirementException, request, meta, requestContext, peer);
  }

  private ObjectNode rateLimited(long waitMillis) {
    toolSet.countRefusal(ErrorCode.RATE_LIMITED);
    return ResultShapes.refused(
        Refusal.of(
                ErrorCode.RATE_LIMITED,
                "This connection makes calls faster than it may; wait %d ms.".formatted(waitMillis))
            .with("retry_after_ms", LongNode.valueOf(waitMillis)));
  }
}
