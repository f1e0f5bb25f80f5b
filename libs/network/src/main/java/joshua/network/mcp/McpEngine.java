package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.network.Caller;
import joshua.network.RateLimit;
import joshua.network.ToolRegistry;
import joshua.network.UnmetRequirementException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * MCP's methods, in both eras: the stateless protocol of 2026-07-28 and the older ones that {@code
 * initialize} opens. Knows nothing of transports, and of the tools only their registry.
 *
 * <p>A transport reads messages ({@link JsonRpc}), decides on the era, and passes requests to
 * {@link #begin} in the order in which they came on one connection.
 */
public final class McpEngine {
  private static final Logger log = LoggerFactory.getLogger(McpEngine.class);

  private static final Set<String> MODERN =
      Set.of(
          "server/discover",
          "tools/list",
          "tools/call",
          "prompts/list",
          "prompts/get",
          "completion/complete",
          "resources/list",
          "resources/templates/list",
          "resources/read",
          "subscriptions/listen");
  private static final Set<String> TASKS = Set.of("tasks/get", "tasks/update", "tasks/cancel");

  private final McpService service;
  private final ResultShapes resultShapes;
  private final ClientRequests clientRequests;
  private final ToolMethods tools;
  private final ResourceMethods resources;
  private final PromptMethods prompts;
  private final TaskMethods tasks;
  private final SubscriptionsListen subscriptionsListen;
  private final LegacyMethods legacy;
  private final InstantSource time;

  public McpEngine(McpService service, InstantSource time, TimedWait timedWait) {
    this.service = service;
    this.time = time;
    resultShapes = new ResultShapes(service);
    clientRequests = new ClientRequests(time, resultShapes);
    tools = new ToolMethods(service, resultShapes, clientRequests);
    resources = new ResourceMethods(service, resultShapes, clientRequests);
    prompts = new PromptMethods(service, resultShapes, clientRequests);
    tasks = new TaskMethods(service, resultShapes);
    WatchBudget watches = new WatchBudget();
    subscriptionsListen =
        new SubscriptionsListen(service, resources, tasks, resultShapes, watches, timedWait);
    legacy = new LegacyMethods(service, resultShapes, resources, watches, capabilities(false));
  }

  /** The service, for transports that look at more than messages. */
  public McpService service() {
    return service;
  }

  /** The outcome of a method: its result, now or later. */
  sealed interface Outcome {
    record Now(ObjectNode result) implements Outcome {}

    record Later(Work work) implements Outcome {}

    /** The rest of a method. */
    interface Work {
      ObjectNode await() throws InterruptedException, RpcError.RpcFailureException;
    }

    static Outcome now(ObjectNode result) {
      return new Now(result);
    }

    static Outcome later(Work work) {
      return new Later(work);
    }
  }

  /**
   * Why a stateless request can't be handled at all, if so: its metadata are missing or of another
   * version, or the method doesn't exist.
   */
  public Optional<RpcError> problem(JsonRpc.Request request) {
    try {
      RequestMeta.modern(request.params());
    } catch (RpcError.RpcFailureException e) {
      return Optional.of(e.error());
    }
    boolean known =
        MODERN.contains(request.method()) || (tasks.isServed() && TASKS.contains(request.method()));
    return known ? Optional.empty() : Optional.of(RpcError.methodNotFound(request.method()));
  }

  /**
   * Executes a request, or the part of it that mustn't wait; never throws, never blocks.
   *
   * @param modern whether it is one of the stateless protocol
   */
  public McpReply begin(JsonRpc.Request request, RequestContext requestContext, boolean modern) {
    String correlationId = BusIdentifiers.uuid7(time).toString();
    try (var _ = MDC.putCloseable(ToolRegistry.CORRELATION_ID, correlationId)) {
      limitRate(request, requestContext);
      Outcome outcome = modern ? modern(request, requestContext) : legacy(request, requestContext);
      return switch (outcome) {
        case Outcome.Now(ObjectNode result) -> new McpReply.Ready(success(request, result));
        case Outcome.Later(Outcome.Work work) ->
            new McpReply.Later(() -> await(work, request, correlationId));
      };
    } catch (RpcError.RpcFailureException e) {
      return new McpReply.Ready(McpReply.failure(request, e.error()));
    } catch (McpRefusalException e) {
      return new McpReply.Ready(McpReply.failure(request, RpcError.refused(e.refusal())));
    } catch (RuntimeException | Error e) {
      return new McpReply.Ready(failed(request, correlationId, e));
    }
  }

  /** The response to a request that can't be handled at all: it counts towards the rate, too. */
  public McpReply.Response refuse(JsonNode id, RpcError error, RateLimit rate) {
    RpcError told = overRate(rate).orElse(error);
    return new McpReply.Response(JsonRpc.failure(id, told), Optional.of(told));
  }

  /** Takes a message that wants no answer. */
  public void notified(JsonRpc.Notification notification, McpClient client) {
    if (notification.method().equals("notifications/cancelled")) {
      client.cancel(notification.params().path("requestId"));
    }
  }

  /** Takes the answer to a request of ours. */
  public void answered(JsonRpc.Response response, Caller caller) {
    clientRequests.pending().answered(response, caller);
  }

  /** Pushes to a legacy client what it has subscribed to; runs until that has gone. */
  public void push(McpClient client, MessageStream stream) throws InterruptedException {
    legacy.push(client, stream);
  }

  /** Calls of tools have their limit with the tools, and another answer when it is reached. */
  private void limitRate(JsonRpc.Request request, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    if (!request.method().equals("tools/call")) {
      Optional<RpcError> over = overRate(requestContext.rate());
      if (over.isPresent()) {
        throw new RpcError.RpcFailureException(over.get());
      }
    }
  }

  /** Counts a message; returns the error if it came faster than allowed. */
  public Optional<RpcError> overRate(RateLimit rate) {
    long waitMillis = rate.take();
    if (waitMillis == 0) {
      return Optional.empty();
    }
    service.tools().countRefusal(ErrorCode.RATE_LIMITED);
    return Optional.of(RpcError.rateLimited(waitMillis));
  }

  private Outcome modern(JsonRpc.Request request, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    Optional<RpcError> problem = problem(request);
    if (problem.isPresent()) {
      throw new RpcError.RpcFailureException(problem.get());
    }
    RequestMeta meta = RequestMeta.modern(request.params());
    return switch (request.method()) {
      case "server/discover" -> Outcome.now(discover(meta));
      case "subscriptions/listen" ->
          Outcome.later(() -> subscriptionsListen.listen(request, meta, requestContext));
      case "tasks/get" -> Outcome.later(() -> tasks.get(request, meta, requestContext));
      case "tasks/update" -> Outcome.later(() -> tasks.update(request, meta, requestContext));
      case "tasks/cancel" -> Outcome.later(() -> tasks.cancel(request, meta, requestContext));
      default -> shared(request, meta, requestContext);
    };
  }

  private Outcome legacy(JsonRpc.Request request, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    RequestMeta meta = RequestMeta.legacy(request.params(), requestContext.client());
    return switch (request.method()) {
      case "initialize" -> Outcome.now(legacy.initialize(request, requestContext));
      case "ping" -> Outcome.now(Json.object());
      case "logging/setLevel" -> Outcome.now(legacy.setLevel(request, requestContext));
      case "resources/subscribe" ->
          Outcome.later(() -> legacy.subscribe(request, meta, requestContext));
      case "resources/unsubscribe" -> Outcome.now(legacy.unsubscribe(request, requestContext));
      default -> shared(request, meta, requestContext);
    };
  }

  private Outcome shared(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    return switch (request.method()) {
      case "tools/list" -> Outcome.now(tools.list(meta));
      case "tools/call" -> tools.call(request, meta, requestContext);
      case "prompts/list" -> Outcome.now(prompts.list(meta));
      case "prompts/get" -> Outcome.later(() -> prompts.get(request, meta, requestContext));
      case "completion/complete" ->
          Outcome.later(() -> prompts.complete(request, meta, requestContext));
      case "resources/list" -> Outcome.later(() -> resources.list(meta, requestContext));
      case "resources/templates/list" -> Outcome.now(resources.templates(meta));
      case "resources/read" -> Outcome.later(() -> resources.read(request, meta, requestContext));
      default -> throw new RpcError.RpcFailureException(RpcError.methodNotFound(request.method()));
    };
  }

  private ObjectNode discover(RequestMeta meta) {
    ObjectNode result = Json.object();
    ProtocolVersions.SUPPORTED.forEach(result.putArray("supportedVersions")::add);
    result.set("capabilities", capabilities(true));
    result.put("instructions", service.instructions());
    return resultShapes.cacheable(result, ResultShapes.LIST_TTL_MILLIS, true, meta);
  }

  private ObjectNode capabilities(boolean modern) {
    ObjectNode capabilities = Json.object();
    capabilities.putObject("tools").put("listChanged", true);
    if (prompts.isServed()) {
      capabilities.putObject("prompts").put("listChanged", true);
      capabilities.putObject("completions");
    }
    if (!resources.isEmpty()) {
      capabilities.putObject("resources").put("subscribe", true).put("listChanged", true);
    }
    if (modern && tasks.isServed()) {
      capabilities.putObject("extensions").putObject(UnmetRequirementException.TASKS);
    }
    capabilities.putObject("logging");
    return capabilities;
  }

  private McpReply.Response await(Outcome.Work work, JsonRpc.Request request, String correlationId)
      throws InterruptedException {
    try (var _ = MDC.putCloseable(ToolRegistry.CORRELATION_ID, correlationId)) {
      return success(request, work.await());
    } catch (RpcError.RpcFailureException e) {
      return McpReply.failure(request, e.error());
    } catch (McpRefusalException e) {
      return McpReply.failure(request, RpcError.refused(e.refusal()));
    } catch (RuntimeException | Error e) {
      return failed(request, correlationId, e);
    }
  }

  private static McpReply.Response success(JsonRpc.Request request, ObjectNode result) {
    return new McpReply.Response(JsonRpc.success(request.id(), result), Optional.empty());
  }

  private static McpReply.Response failed(
      JsonRpc.Request request, String correlationId, Throwable cause) {
    log.error("the method {} failed", request.method(), cause);
    return McpReply.failure(request, RpcError.internal(correlationId));
  }
}
