package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import joshua.kernel.Json;
import joshua.network.Prompt;
import joshua.network.mcp.McpServer.Result;

/** MCP's methods for prompts. */
final class PromptMethods {
  private final Map<String, Prompt> prompts = new LinkedHashMap<>();

  PromptMethods(List<Prompt> prompts) {
    prompts.forEach(prompt -> this.prompts.put(prompt.name(), prompt));
  }

  ObjectNode list() {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("prompts");
    for (Prompt prompt : prompts.values()) {
      ObjectNode shown = list.addObject().put("name", prompt.name()).put("title", prompt.title());
      shown.put("description", prompt.description()).putPOJO("arguments", prompt.arguments());
    }
    return result;
  }

  CompletableFuture<Result> get(McpCall call) {
    Prompt prompt = prompts.get(call.params().path("name").asText());
    if (prompt == null) {
      throw RpcError.invalidParams(
          "params.name must be one of %s.".formatted(String.join(", ", prompts.keySet())));
    }
    Map<String, String> arguments = arguments(prompt, call.params().path("arguments"));
    return call.caller()
        .connection()
        .runBlocking(prompt.name(), () -> shown(prompt, prompt.text().content(arguments, call)));
  }

  private static Map<String, String> arguments(Prompt prompt, JsonNode given) {
    Map<String, String> arguments = new HashMap<>();
    for (Prompt.Argument argument : prompt.arguments()) {
      JsonNode value = given.path(argument.name());
      if (value.isTextual()) {
        arguments.put(argument.name(), value.textValue());
      } else if (argument.required() || !value.isMissingNode()) {
        throw RpcError.invalidParams(
            "params.arguments.%s must be a string.".formatted(argument.name()));
      }
    }
    return arguments;
  }

  private static Result shown(Prompt prompt, List<ObjectNode> content) {
    ObjectNode result = Json.object().put("description", prompt.description());
    ArrayNode messages = result.putArray("messages");
    content.forEach(block -> messages.addObject().put("role", "user").set("content", block));
    return Result.of(result);
  }
}
