package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.network.UnmetRequirementException;
import org.jspecify.annotations.Nullable;

/** {@code prompts/list}, {@code prompts/get} and {@code completion/complete}. */
final class PromptMethods {
  /** The most values of one completion, as MCP has it. */
  private static final int MAX_VALUES = 100;

  private final McpPrompts mcpPrompts;
  private final ResultShapes resultShapes;
  private final ClientRequests clientRequests;

  PromptMethods(McpService service, ResultShapes resultShapes, ClientRequests clientRequests) {
    this.mcpPrompts = service.prompts();
    this.resultShapes = resultShapes;
    this.clientRequests = clientRequests;
  }

  boolean isServed() {
    return !mcpPrompts.equals(McpPrompts.NONE);
  }

  ObjectNode list(RequestMeta meta) {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("prompts");
    for (McpPrompt mcpPrompt : mcpPrompts.now()) {
      McpPrompt.Spec spec = mcpPrompt.spec();
      ObjectNode json = list.addObject().put("name", spec.name()).put("title", spec.title());
      json.put("description", spec.description());
      ArrayNode arguments = json.putArray("arguments");
      for (McpPrompt.Argument argument : spec.arguments()) {
        arguments
            .addObject()
            .put("name", argument.name())
            .put("description", argument.description())
            .put("required", argument.required());
      }
    }
    return resultShapes.cacheable(result, ResultShapes.LIST_TTL_MILLIS, true, meta);
  }

  ObjectNode get(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException, InterruptedException {
    McpPrompt mcpPrompt = named(request.params().path("name"));
    Map<String, String> arguments = arguments(mcpPrompt, request.params().path("arguments"));
    CallPeer peer = clientRequests.peer(request, meta, requestContext);
    try {
      ObjectNode result = Json.object().put("description", mcpPrompt.spec().description());
      result
          .putArray("messages")
          .addAll(mcpPrompt.messages(arguments, requestContext.caller(), peer));
      return resultShapes.complete(result, meta);
    } catch (UnmetRequirementException e) {
      return clientRequests.unmet(e, request, meta, requestContext, peer);
    }
  }

  ObjectNode complete(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    JsonNode argument = request.params().path("argument");
    if (!argument.path("name").isTextual() || !argument.path("value").isTextual()) {
      throw new RpcError.RpcFailureException(
          RpcError.invalidParams("params.argument must have a name and a value."));
    }
    List<String> values = List.of();
    McpPrompt mcpPrompt = prompt(request.params().path("ref"));
    if (mcpPrompt != null) {
      values =
          mcpPrompt.complete(
              argument.path("name").asText(),
              argument.path("value").asText(),
              requestContext.caller());
    }
    ObjectNode result = Json.object();
    ObjectNode completion = result.putObject("completion");
    ArrayNode shown = completion.putArray("values");
    values.stream().limit(MAX_VALUES).forEach(shown::add);
    completion.put("total", values.size()).put("hasMore", values.size() > MAX_VALUES);
    return resultShapes.complete(result, meta);
  }

  /** The prompt whose argument is completed; null for a resource template's, which have none. */
  private @Nullable McpPrompt prompt(JsonNode reference) throws RpcError.RpcFailureException {
    return switch (reference.path("type").asText()) {
      case "ref/resource" -> null;
      case "ref/prompt" -> named(reference.path("name"));
      default ->
          throw new RpcError.RpcFailureException(
              RpcError.invalidParams("params.ref.type must be ref/prompt or ref/resource."));
    };
  }

  private McpPrompt named(JsonNode name) throws RpcError.RpcFailureException {
    for (McpPrompt mcpPrompt : mcpPrompts.now()) {
      if (mcpPrompt.spec().name().equals(name.asText())) {
        return mcpPrompt;
      }
    }
    throw new RpcError.RpcFailureException(
        RpcError.invalidParams("There is no prompt of that name."));
  }

  private static Map<String, String> arguments(McpPrompt mcpPrompt, JsonNode given)
      throws RpcError.RpcFailureException {
    Map<String, String> arguments = new LinkedHashMap<>();
    for (McpPrompt.Argument argument : mcpPrompt.spec().arguments()) {
      JsonNode value = given.path(argument.name());
      if (value.isTextual()) {
        arguments.put(argument.name(), value.asText());
      } else if (argument.required()) {
        throw new RpcError.RpcFailureException(
            RpcError.invalidParams("The argument " + argument.name() + " must be a string."));
      }
    }
    return arguments;
  }
}
