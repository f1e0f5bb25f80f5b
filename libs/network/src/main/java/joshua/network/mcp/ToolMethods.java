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
import joshua.network.Tools;
import joshua.network.Unmet;

/** {@code tools/list} and {@code tools/call}. */
final class ToolMethods {
  private final Tools tools;
  private final Optional<TaskDesk> tasks;
  private final Results results;
  private final Asking asking;

  ToolMethods(McpService service, Results results, Asking asking) {
    this.tools = service.tools();
    this.tasks = service.tasks();
    this.results = results;
    this.asking = asking;
  }

  ObjectNode list(RequestMeta meta) {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("tools");
    tools.specs().forEach(spec -> list.add(Results.tool(spec)));
    return results.cacheable(result, Results.LIST_TTL_MILLIS, true, meta);
  }

  /** Executes the call, in the order of arrival; its answer may come later. */
  McpEngine.Outcome call(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure {
    JsonNode name = request.params().path("name");
    if (!name.isTextual()) {
      throw new RpcError.Failure(RpcError.missingMeta("params.name must be a string."));
    }
    if (tools.spec(name.asText()).isEmpty()) {
      tools.countRefusal(ErrorCode.UNKNOWN_TOOL);
      throw new RpcError.Failure(RpcError.invalidParams("There is no tool of that name."));
    }
    JsonNode arguments = request.params().path("arguments");
    if (!arguments.isMissingNode() && !arguments.isObject()) {
      throw new RpcError.Failure(RpcError.invalidParams("params.arguments must be an object."));
    }
    ObjectNode input = arguments instanceof ObjectNode object ? object : Json.object();
    long waitMillis = exchange.rate().take();
    if (waitMillis > 0) {
      return McpEngine.Outcome.now(results.complete(rateLimited(waitMillis), meta));
    }
    CallPeer peer = asking.peer(request, meta, exchange);
    try {
      Tool.Answer answer = tools.begin(name.asText(), input, exchange.caller(), peer);
      if (answer instanceof Tool.Ready(ToolResult ready)
          && !startsTask(ready)
          && !ready.isLarge()) {
        return McpEngine.Outcome.now(results.complete(Results.call(ready), meta));
      }
      return McpEngine.Outcome.later(() -> await(answer, request, meta, exchange, peer));
    } catch (Unmet e) {
      return McpEngine.Outcome.now(unmet(e, request, meta, exchange, peer));
    }
  }

  private ObjectNode await(
      Tool.Answer answer, Rpc.Request request, RequestMeta meta, Exchange exchange, CallPeer peer)
      throws InterruptedException, RpcError.Failure {
    try {
      return shown(answer.await(), meta, exchange);
    } catch (Unmet e) {
      return unmet(e, request, meta, exchange, peer);
    }
  }

  /**
   * The result as this client takes it: a task if it has started one and the client takes those.
   */
  private ObjectNode shown(ToolResult result, RequestMeta meta, Exchange exchange) {
    if (startsTask(result)
        && meta.isModern()
        && meta.capabilities().takesTasks()
        && result instanceof ToolResult.Success success) {
      Optional<TaskView> task =
          success.taskId().flatMap(id -> tasks.flatMap(desk -> desk.find(id, exchange.caller())));
      if (task.isPresent()) {
        return results.typed("task", task.get().json(), meta);
      }
    }
    return results.complete(Results.call(result), meta);
  }

  private static boolean startsTask(ToolResult result) {
    return result instanceof ToolResult.Success success && success.taskId().isPresent();
  }

  /** Legacy clients have no error code for what is missing, so they are told as by the tool. */
  private ObjectNode unmet(
      Unmet unmet, Rpc.Request request, RequestMeta meta, Exchange exchange, CallPeer peer)
      throws RpcError.Failure {
    if (!meta.isModern()) {
      return Results.refused(
          Refusal.of(ErrorCode.INVALID_INPUT, "The tool can't go on: " + unmet.getMessage() + "."));
    }
    return asking.unmet(unmet, request, meta, exchange, peer);
  }

  private ObjectNode rateLimited(long waitMillis) {
    tools.countRefusal(ErrorCode.RATE_LIMITED);
    return Results.refused(
        Refusal.of(
                ErrorCode.RATE_LIMITED,
                "This connection makes calls faster than it may; wait %d ms.".formatted(waitMillis))
            .with("retry_after_ms", LongNode.valueOf(waitMillis)));
  }
}
