package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.Catalog;
import joshua.network.RawJson;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.mcp.JsonRpc.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MCP's methods, in both eras, whatever carries the messages: a service's tools (+JN-07). It keeps
 * nothing between requests.
 */
public final class McpServer {
  /** Lists don't change as long as a service runs. */
  private static final long LIST_TTL_MILLIS = 300_000;

  /** Beyond this, one client cuts what a tool answers unless told otherwise. */
  private static final int MAX_RESULT_CHARS = 500_000;

  private static final Set<String> MODERN_METHODS =
      Set.of("server/discover", "tools/list", "tools/call");

  private static final Logger log = LoggerFactory.getLogger(McpServer.class);

  private final Catalog catalog;
  private final ToolRegistry tools;

  public McpServer(Catalog catalog) {
    this.catalog = catalog;
    this.tools = catalog.tools();
  }

  /**
   * The answer to a request.
   *
   * @param status of HTTP in the stateless era
   * @param written told whether the answer could be written
   */
  public record Reply(ObjectNode message, int status, Consumer<Boolean> written) {}

  /** Why a request of the stateless era can't be handled at all, if so. */
  public Optional<RpcError> problem(Request request) {
    return ProtocolVersions.problem(request.params())
        .or(() ->
            MODERN_METHODS.contains(request.method())
                ? Optional.empty()
                : Optional.of(RpcError.methodNotFound()));
  }

  /** The reply that refuses a request. */
  public static Reply refusal(JsonNode id, RpcError error) {
    return new Reply(JsonRpc.failure(id, error), error.httpStatus(), written -> {});
  }

  /**
   * Begins a request, in the order in which they come on a connection.
   *
   * @param modern whether it is of the stateless era
   * @return never fails, but is cancelled where the caller has gone
   */
  public CompletableFuture<Reply> begin(Request request, boolean modern, Caller caller) {
    return switch (request.method()) {
      case "tools/call" -> call(request, modern, caller);
      case "tools/list" -> now(request, cacheable(tools(), modern));
      default -> modern ? stateless(request) : legacy(request);
    };
  }

  private CompletableFuture<Reply> stateless(Request request) {
    return request.method().equals("server/discover")
        ? now(request, cacheable(discovered(), true))
        : refused(request, RpcError.methodNotFound());
  }

  private CompletableFuture<Reply> legacy(Request request) {
    return switch (request.method()) {
      case "initialize" -> now(request, initialized(request.params()));
      case "ping" -> now(request, Json.object());
      default -> refused(request, RpcError.methodNotFound());
    };
  }

  private static CompletableFuture<Reply> now(Request request, ObjectNode result) {
    return CompletableFuture.completedFuture(
        new Reply(JsonRpc.success(request.id(), result), 200, written -> {}));
  }

  private static CompletableFuture<Reply> refused(Request request, RpcError error) {
    return CompletableFuture.completedFuture(refusal(request.id(), error));
  }

  private ObjectNode initialized(ObjectNode params) {
    ObjectNode result = Json.object();
    result.put(
        "protocolVersion", ProtocolVersions.negotiated(params.path("protocolVersion").asText()));
    result.putObject("capabilities").putObject("tools");
    result.set("serverInfo", serverInfo());
    return result.put("instructions", catalog.instructions());
  }

  private ObjectNode discovered() {
    ObjectNode result = Json.object();
    ProtocolVersions.SUPPORTED.forEach(result.putArray("supportedVersions")::add);
    result.putObject("capabilities").putObject("tools");
    return result.put("instructions", catalog.instructions());
  }

  private ObjectNode serverInfo() {
    return Json.object()
        .put("name", "joshua-" + catalog.name())
        .put("title", catalog.title())
        .put("version", catalog.version());
  }

  private ObjectNode cacheable(ObjectNode result, boolean modern) {
    return modern
        ? complete(result.put("ttlMs", LIST_TTL_MILLIS).put("cacheScope", "public"), true)
        : result;
  }

  /** What each result of the stateless era has. */
  private ObjectNode complete(ObjectNode result, boolean modern) {
    if (modern) {
      result.put("resultType", "complete");
      result.withObjectProperty("_meta").set("io.modelcontextprotocol/serverInfo", serverInfo());
    }
    return result;
  }

  private ObjectNode tools() {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("tools");
    for (Tool<?> tool : tools.tools(Tool.Audience.MODEL)) {
      ObjectNode shown = list.addObject().put("name", tool.name()).put("title", tool.title());
      shown.put("description", tool.description());
      shown.set("inputSchema", tools.inputSchema(tool));
      shown.set("outputSchema", tools.outputSchema(tool));
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

  private CompletableFuture<Reply> call(Request request, boolean modern, Caller caller) {
    JsonNode name = request.params().path("name");
    JsonNode arguments = request.params().path("arguments");
    if (!name.isTextual()) {
      return refused(request, RpcError.invalidParams("params.name must be a string."));
    }
    Optional<Refusal> unknown = tools.unknown(name.textValue(), Tool.Audience.MODEL);
    if (unknown.isPresent()) {
      return refused(request, RpcError.invalidParams(unknown.get().message()));
    }
    if (!arguments.isMissingNode() && !arguments.isObject()) {
      return refused(request, RpcError.invalidParams("params.arguments must be an object."));
    }
    ObjectNode input = arguments instanceof ObjectNode object ? object : Json.object();
    return tools
        .begin(name.textValue(), input, caller, Tool.Audience.MODEL, CallContext.MODEL)
        .thenApply(result -> {
          Consumer<Boolean> written =
              result instanceof ToolResult.Success success ? success.written() : done -> {};
          try {
            ObjectNode shown = complete(shown(result), modern);
            return new Reply(JsonRpc.success(request.id(), shown), 200, written);
          } catch (RuntimeException e) {
            log.error("an answer of {} can't be written as JSON", name.textValue(), e);
            written.accept(false);
            return refusal(request.id(), RpcError.internal());
          }
        });
  }

  /**
   * The result of a call. A refusal is text too, and has no {@code structuredContent}, in whose
   * place clients would show that it doesn't fit the schema.
   */
  private static ObjectNode shown(ToolResult ended) {
    ObjectNode result = Json.object();
    ObjectNode block = result.putArray("content").addObject().put("type", "text");
    switch (ended) {
      case ToolResult.Success success -> {
        byte[] output = Json.bytes(success.output());
        block.put("text", new String(output, StandardCharsets.UTF_8));
        result.putPOJO("structuredContent", new RawJson(output));
      }
      case ToolResult.Refused refused -> {
        Refusal refusal = refused.refusal();
        block.put("text", refusal.code().wireName() + ": " + refusal.message());
        result.put("isError", true);
        result.putObject("_meta").set("joshua/error", refusal.tree());
      }
    }
    return result;
  }
}
