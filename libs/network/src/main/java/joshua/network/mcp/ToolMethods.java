package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.ContentBlocks;
import joshua.network.RawJson;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.mcp.McpServer.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MCP's methods for tools. */
final class ToolMethods {
  /** Beyond this, one client cuts what a tool answers unless told otherwise. */
  private static final int MAX_RESULT_CHARS = 500_000;

  private static final Logger log = LoggerFactory.getLogger(ToolMethods.class);

  private final ToolRegistry tools;

  ToolMethods(ToolRegistry tools) {
    this.tools = tools;
  }

  ObjectNode list() {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("tools");
    for (Tool<?> tool : tools.tools(Tool.Audience.MODEL)) {
      ObjectNode shown = list.addObject().put("name", tool.name()).put("title", tool.title());
      shown.put("description", tool.description());
      shown.set("inputSchema", tools.inputSchema(tool));
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
    Optional<Refusal> unknown = tools.unknown(name.textValue(), Tool.Audience.MODEL);
    if (unknown.isPresent()) {
      throw RpcError.invalidParams(unknown.get().message());
    }
    if (!arguments.isMissingNode() && !arguments.isObject()) {
      throw RpcError.invalidParams("params.arguments must be an object.");
    }
    ObjectNode input = arguments instanceof ObjectNode object ? object : Json.object();
    return tools
        .begin(name.textValue(), input, call.caller(), Tool.Audience.MODEL, call)
        .thenApply(result -> result(name.textValue(), result));
  }

  private static Result result(String tool, ToolResult ended) {
    if (!(ended instanceof ToolResult.Success success)) {
      return new Result(shown(ended), written -> {});
    }
    try {
      return new Result(shown(success), success.written());
    } catch (RuntimeException e) {
      log.error("an answer of {} can't be written as JSON", tool, e);
      success.written().accept(false);
      throw RpcError.internal();
    }
  }

  /**
   * The result of a call. A refusal is text too, and has no {@code structuredContent}, in whose
   * place clients would show that it doesn't fit the schema.
   */
  static ObjectNode shown(ToolResult ended) {
    ObjectNode result = Json.object();
    ArrayNode content = result.putArray("content");
    switch (ended) {
      case ToolResult.Success(ContentBlocks blocks, _) -> content.addAll(blocks.content());
      case ToolResult.Success(Record data, _) -> {
        byte[] output = Json.bytes(data);
        content.add(text(new String(output, StandardCharsets.UTF_8)));
        result.putPOJO("structuredContent", new RawJson(output));
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
