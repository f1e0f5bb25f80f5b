package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.RawJson;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.ToolResult.ContentBlocks;
import joshua.network.mcp.McpServer.Result;

/** MCP's methods for tools. */
final class ToolMethods {
  /** Announced in the list, since one client would otherwise cut long results. */
  private static final int MAX_RESULT_CHARS = 500_000;

  private final ToolRegistry tools;

  ToolMethods(ToolRegistry tools) {
    this.tools = tools;
  }

  ObjectNode list(McpCall call) {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("tools");
    for (Tool<?> tool : tools.tools(Tool.Audience.MODEL)) {
      ObjectNode shown = list.addObject().put("name", tool.name()).put("title", tool.title());
      shown.put("description", tool.description());
      shown.set("inputSchema", tools.inputSchema(tool, call.defaults()));
      if (tool.output() != ContentBlocks.class) {
        shown.set("outputSchema", tools.outputSchema(tool));
      }
      ToolHints hints = tool.hints();
      shown
          .putObject("annotations")
          .put("readOnlyHint", hints.readOnly())
          .put("destructiveHint", hints.destructive())
          .put("idempotentHint", hints.idempotent())
          .put("openWorldHint", hints.openWorld());
      shown.putObject("_meta").put("anthropic/maxResultSizeChars", MAX_RESULT_CHARS);
    }
    return result;
  }

  CompletableFuture<Result> call(McpCall call) {
    JsonNode name = call.params().path("name");
    JsonNode arguments = call.params().path("arguments");
    if (!name.isTextual()) {
      throw RpcError.invalidParams("params.name must be a string.");
    }
    Optional<Refusal> unknown = tools.unknown(name.textValue(), Tool.Audience.PROGRAM);
    if (unknown.isPresent()) {
      throw RpcError.invalidParams(unknown.get().message());
    }
    ObjectNode input =
        switch (arguments) {
          case ObjectNode object -> object;
          case MissingNode _ -> Json.object();
          default -> throw RpcError.invalidParams("params.arguments must be an object.");
        };
    return tools
        .begin(name.textValue(), input, call.caller(), Tool.Audience.PROGRAM, call)
        .thenApply(result ->
            result instanceof ToolResult.Success success
                ? new Result(shown(success), success.written())
                : Result.of(shown(result)));
  }

  /**
   * The result of a call. A refusal is text without {@code structuredContent}, for which clients
   * would report a violated schema.
   */
  static ObjectNode shown(ToolResult ended) {
    ObjectNode result = Json.object();
    ArrayNode content = result.putArray("content");
    switch (ended) {
      case ToolResult.Success(ContentBlocks blocks, _, _) -> content.addAll(blocks.content());
      case ToolResult.Success(_, RawJson json, _) -> {
        content.add(text(new String(json.utf8(), StandardCharsets.UTF_8)));
        result.putPOJO("structuredContent", json);
      }
      case ToolResult.Refused(Refusal refusal) -> {
        content.add(text(refusal.code().wireName() + ": " + refusal.message()));
        result.put("isError", true);
        result.putObject("_meta").set("joshua/error", refusal.tree());
      }
    }
    return result;
  }

  private static ObjectNode text(String text) {
    return Json.object().put("type", "text").put("text", text);
  }
}
