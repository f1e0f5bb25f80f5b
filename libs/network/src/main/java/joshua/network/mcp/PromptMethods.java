package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.network.Unmet;
import org.jspecify.annotations.Nullable;

/** {@code prompts/list}, {@code prompts/get} and {@code completion/complete}. */
final class PromptMethods {
  /** The most values of one completion, as MCP has it. */
  private static final int MAX_VALUES = 100;

  private final Prompts prompts;
  private final Results results;
  private final Asking asking;

  PromptMethods(McpService service, Results results, Asking asking) {
    this.prompts = service.prompts();
    this.results = results;
    this.asking = asking;
  }

  boolean isServed() {
    return !prompts.equals(Prompts.NONE);
  }

  ObjectNode list(RequestMeta meta) {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("prompts");
    for (Prompt prompt : prompts.now()) {
      Prompt.Spec spec = prompt.spec();
      ObjectNode json = list.addObject().put("name", spec.name()).put("title", spec.title());
      json.put("description", spec.description());
      ArrayNode arguments = json.putArray("arguments");
      for (Prompt.Argument argument : spec.arguments()) {
        arguments
            .addObject()
            .put("name", argument.name())
            .put("description", argument.description())
            .put("required", argument.required());
      }
    }
    return results.cacheable(result, Results.LIST_TTL_MILLIS, true, meta);
  }

  ObjectNode get(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure, InterruptedException {
    Prompt prompt = named(request.params().path("name"));
    Map<String, String> arguments = arguments(prompt, request.params().path("arguments"));
    CallPeer peer = asking.peer(request, meta, exchange);
    try {
      ObjectNode result = Json.object().put("description", prompt.spec().description());
      result.putArray("messages").addAll(prompt.messages(arguments, exchange.caller(), peer));
      return results.complete(result, meta);
    } catch (Unmet e) {
      return asking.unmet(e, request, meta, exchange, peer);
    }
  }

  ObjectNode complete(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure {
    JsonNode argument = request.params().path("argument");
    if (!argument.path("name").isTextual() || !argument.path("value").isTextual()) {
      throw new RpcError.Failure(
          RpcError.invalidParams("params.argument must have a name and a value."));
    }
    List<String> values = List.of();
    Prompt prompt = prompt(request.params().path("ref"));
    if (prompt != null) {
      values =
          prompt.complete(
              argument.path("name").asText(), argument.path("value").asText(), exchange.caller());
    }
    ObjectNode result = Json.object();
    ObjectNode completion = result.putObject("completion");
    ArrayNode shown = completion.putArray("values");
    values.stream().limit(MAX_VALUES).forEach(shown::add);
    completion.put("total", values.size()).put("hasMore", values.size() > MAX_VALUES);
    return results.complete(result, meta);
  }

  /** The prompt whose argument is completed; null for a resource template's, which have none. */
  private @Nullable Prompt prompt(JsonNode reference) throws RpcError.Failure {
    return switch (reference.path("type").asText()) {
      case "ref/resource" -> null;
      case "ref/prompt" -> named(reference.path("name"));
      default ->
          throw new RpcError.Failure(
              RpcError.invalidParams("params.ref.type must be ref/prompt or ref/resource."));
    };
  }

  private Prompt named(JsonNode name) throws RpcError.Failure {
    for (Prompt prompt : prompts.now()) {
      if (prompt.spec().name().equals(name.asText())) {
        return prompt;
      }
    }
    throw new RpcError.Failure(RpcError.invalidParams("There is no prompt of that name."));
  }

  private static Map<String, String> arguments(Prompt prompt, JsonNode given)
      throws RpcError.Failure {
    Map<String, String> arguments = new LinkedHashMap<>();
    for (Prompt.Argument argument : prompt.spec().arguments()) {
      JsonNode value = given.path(argument.name());
      if (value.isTextual()) {
        arguments.put(argument.name(), value.asText());
      } else if (argument.required()) {
        throw new RpcError.Failure(
            RpcError.invalidParams("The argument " + argument.name() + " must be a string."));
      }
    }
    return arguments;
  }
}
