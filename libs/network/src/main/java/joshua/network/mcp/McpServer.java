package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import joshua.kernel.Json;
import joshua.kernel.Recurring;
import joshua.kernel.Refusal;
import joshua.network.Caller;
import joshua.network.Catalog;
import joshua.network.ResourceProvider;
import joshua.network.ToolResult;
import joshua.network.mcp.JsonRpc.Request;
import joshua.network.mcp.McpCall.InputRequiredException;
import joshua.network.mcp.McpCall.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The MCP server of a service, in both eras, independent of the transport: its tools, resources and
 * prompts (+JN-07).
 */
public final class McpServer implements AutoCloseable {
  /** Lists don't change as long as a service runs. */
  private static final long LIST_TTL_MILLIS = 300_000;

  private static final Logger log = LoggerFactory.getLogger(McpServer.class);
  private static final List<String> LEVELS =
      List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

  private final Catalog catalog;
  private final ToolMethods tools;
  private final PromptMethods prompts;
  private final ResourceMethods resources;
  private final RequestState states;
  private final Duration progressInterval;
  private final ScheduledExecutorService timer;

  /** {@code progressInterval} is that of progress notifications for long calls. */
  public McpServer(
      Catalog catalog,
      InstantSource time,
      ScheduledExecutorService timer,
      Duration progressInterval) {
    this.catalog = catalog;
    this.tools = new ToolMethods(catalog.tools());
    this.prompts = new PromptMethods(catalog.prompts());
    this.resources = new ResourceMethods(catalog.resources());
    this.states = new RequestState(time);
    this.timer = timer;
    this.progressInterval = progressInterval;
  }

  /** The reply to a request; the status is HTTP's, for the stateless era. */
  public record Reply(ObjectNode message, int status, Consumer<Boolean> written) {}

  record Result(ObjectNode object, Consumer<Boolean> written) {
    static Result of(ObjectNode object) {
      return new Result(object, written -> {});
    }
  }

  /** The reply that refuses a request. */
  public static Reply refusal(JsonNode id, RpcError error) {
    return new Reply(JsonRpc.failure(id, error), error.httpStatus(), written -> {});
  }

  /** The reply to a request that can't be carried out, as a tool's result that models see. */
  public static ObjectNode refusal(Request request, Refusal refusal) {
    if (!request.method().equals("tools/call")) {
      return JsonRpc.failure(request.id(), RpcError.refused(refusal));
    }
    ObjectNode result = ToolMethods.shown(new ToolResult.Refused(refusal));
    return JsonRpc.success(request.id(), result.put("resultType", "complete"));
  }

  /**
   * Begins a request; those of a connection must be begun in their order.
   *
   * @param modern whether it is of the stateless era
   * @param session of the client, or a temporary one
   * @param toClient sends a message before the response, without blocking; false if it can't
   * @return never fails, but is cancelled if the caller has gone or cancelled it
   */
  public CompletableFuture<Reply> begin(
      Request request,
      boolean modern,
      Caller caller,
      McpSession session,
      Predicate<ObjectNode> toClient) {
    McpCall call = new McpCall(request, modern, caller, session, toClient, states, new Progress());
    Runnable ended = session.begin(request.id(), caller.connection());
    CompletableFuture<Result> result;
    try {
      result = dispatch(call);
    } catch (CancellationException e) {
      result = CompletableFuture.failedFuture(e);
    }
    tellProgress(call, result);
    return result
        .handle(
            (success, failure) -> failure == null ? success(call, success) : failed(call, failure))
        .whenComplete((reply, failure) -> ended.run());
  }

  /**
   * Notifies an older client of changes to the resources that it watches.
   *
   * @param toClient see {@link #begin}
   * @return completes when the service stops, and isn't sent; cancelled if the client has gone
   */
  public CompletableFuture<Reply> push(
      Caller caller, McpSession session, Predicate<ObjectNode> toClient) {
    Request none = new Request(NullNode.getInstance(), "", Json.object());
    McpCall call = new McpCall(none, false, caller, session, toClient, states, new Progress());
    return resources.tell(session.subscriptions(), call).thenApply(ended -> success(call, ended));
  }

  private CompletableFuture<Result> dispatch(McpCall call) {
    Optional<Refusal> problem = call.defaults().problem();
    if (problem.isPresent()) {
      throw RpcError.refused(problem.get());
    }
    return switch (call.request().method()) {
      case "tools/call" -> tools.call(call);
      case "tools/list" -> now(tools.list(call), call, LIST_TTL_MILLIS);
      case "prompts/get" -> prompts.get(call);
      case "prompts/list" -> now(prompts.list(), call, LIST_TTL_MILLIS);
      case "resources/read" -> now(resources.read(call), call, 0);
      case "resources/list" -> now(resources.list(call), call, 0);
      case "resources/templates/list" -> now(resources.templates(), call, LIST_TTL_MILLIS);
      case "completion/complete" -> now(completed());
      case "server/discover" -> now(discovered(call), call, LIST_TTL_MILLIS);
      case "subscriptions/listen" -> resources.listen(call);
      default -> legacy(call);
    };
  }

  /** The methods of older versions. */
  private CompletableFuture<Result> legacy(McpCall call) {
    return switch (call.isModern() ? "" : call.request().method()) {
      case "initialize" -> now(initialized(call));
      case "ping" -> now(Json.object());
      case "logging/setLevel" -> now(levelSet(call));
      case "resources/subscribe" -> now(resources.subscribe(call));
      case "resources/unsubscribe" -> now(resources.unsubscribe(call));
      default -> throw RpcError.methodNotFound();
    };
  }

  private static CompletableFuture<Result> now(ObjectNode result) {
    return CompletableFuture.completedFuture(Result.of(result));
  }

  /** Results that can't be cached, or that depend on the URL, are private to the caller. */
  private static CompletableFuture<Result> now(ObjectNode result, McpCall call, long ttlMillis) {
    if (call.isModern()) {
      boolean isPrivate = ttlMillis == 0 || !call.defaults().values().isEmpty();
      result.put("ttlMs", ttlMillis).put("cacheScope", isPrivate ? "private" : "public");
    }
    return now(result);
  }

  private ObjectNode initialized(McpCall call) {
    call.session().initialize(call.params());
    ObjectNode result = Json.object();
    result.put(
        "protocolVersion",
        ProtocolVersions.negotiated(call.params().path("protocolVersion").asText()));
    capabilities(result).putObject("logging");
    result.set("serverInfo", serverInfo());
    return result.put("instructions", call.defaults().instructions(catalog.instructions()));
  }

  private ObjectNode discovered(McpCall call) {
    ObjectNode result = Json.object();
    ProtocolVersions.SUPPORTED.forEach(result.putArray("supportedVersions")::add);
    capabilities(result);
    return result.put("instructions", call.defaults().instructions(catalog.instructions()));
  }

  private ObjectNode capabilities(ObjectNode result) {
    ObjectNode capabilities = result.putObject("capabilities");
    capabilities.putObject("tools");
    if (!catalog.prompts().isEmpty()) {
      capabilities.putObject("prompts");
      capabilities.putObject("completions");
    }
    if (!catalog.resources().equals(ResourceProvider.NONE)) {
      capabilities.putObject("resources").put("subscribe", true);
    }
    return capabilities;
  }

  private ObjectNode serverInfo() {
    return Json.object()
        .put("name", "joshua-" + catalog.name())
        .put("title", catalog.title())
        .put("version", catalog.version());
  }

  private static ObjectNode levelSet(McpCall call) {
    JsonNode level = call.params().path("level");
    if (!LEVELS.contains(level.asText())) {
      throw RpcError.invalidParams("params.level must be one of " + LEVELS + ".");
    }
    call.session().setLevel(level.textValue());
    return Json.object();
  }

  /** No suggestions: the only candidates are names that only their owners know. */
  private static ObjectNode completed() {
    ObjectNode result = Json.object();
    result.putObject("completion").put("total", 0).put("hasMore", false).putArray("values");
    return result;
  }

  private Reply success(McpCall call, Result result) {
    ObjectNode object = result.object();
    if (call.isModern()) {
      object.put("resultType", object.path("resultType").asText("complete"));
      object.withObjectProperty("_meta").set("io.modelcontextprotocol/serverInfo", serverInfo());
    }
    return new Reply(JsonRpc.success(call.request().id(), object), 200, result.written());
  }

  private Reply failed(McpCall call, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return switch (cause) {
      case RpcError e -> refusal(call.request().id(), e);
      case InputRequiredException e -> success(call, Result.of(e.result));
      case CancellationException e -> throw e;
      case null, default -> {
        log.error("{} failed", call.request().method(), cause);
        yield refusal(call.request().id(), RpcError.internal());
      }
    };
  }

  /** Sends progress of a running call, so that clients don't time out. */
  private void tellProgress(McpCall call, CompletableFuture<Result> result) {
    if (!call.wantsProgress() || result.isDone()) {
      return;
    }
    long millis = progressInterval.toMillis();
    ScheduledFuture<?> telling =
        timer.scheduleAtFixedRate(
            Recurring.surviving(call::stillWorking), millis, millis, TimeUnit.MILLISECONDS);
    var _ = result.whenComplete((answer, failure) -> telling.cancel(false));
  }

  /** Ends all subscriptions. */
  @Override
  public void close() {
    resources.close();
  }
}
