package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.ErrorCode;
import joshua.kernel.Ids;
import joshua.kernel.Json;
import joshua.kernel.Pause;
import joshua.network.Caller;
import joshua.network.RateLimit;
import joshua.network.ToolRegistry;
import joshua.network.Unmet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * MCP's methods, in both eras: the stateless protocol of 2026-07-28 and the older ones that {@code
 * initialize} opens. Knows nothing of transports, and nothing of the tools but their registry.
 *
 * <p>A transport reads messages ({@link Rpc}), decides on the era, and gives requests to {@link
 * #begin} in the order in which they came on one connection.
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
  private final Results results;
  private final Asking asking;
  private final ToolMethods tools;
  private final ResourceMethods resources;
  private final PromptMethods prompts;
  private final TaskMethods tasks;
  private final Listening listening;
  private final LegacyMethods legacy;
  private final InstantSource time;

  public McpEngine(McpService service, InstantSource time, Pause pause) {
    this.service = service;
    this.time = time;
    results = new Results(service);
    asking = new Asking(time, results);
    tools = new ToolMethods(service, results, asking);
    resources = new ResourceMethods(service, results, asking);
    prompts = new PromptMethods(service, results, asking);
    tasks = new TaskMethods(service, results);
    WatchBudget watches = new WatchBudget();
    listening = new Listening(service, resources, tasks, results, watches, pause);
    legacy = new LegacyMethods(service, results, resources, watches, capabilities(false));
  }

  /** What is served, for transports that look at more than messages. */
  public McpService service() {
    return service;
  }

  /** What came of a method: its result, now or later. */
  sealed interface Outcome {
    record Now(ObjectNode result) implements Outcome {}

    record Later(Work work) implements Outcome {}

    /** The rest of a method. */
    interface Work {
      ObjectNode await() throws InterruptedException, RpcError.Failure;
    }

    static Outcome now(ObjectNode result) {
      return new Now(result);
    }

    static Outcome later(Work work) {
      return new Later(work);
    }
  }

  /**
   * Why a stateless request can't be dealt with at all, if it can't: what it says about itself is
   * missing or of another version, or there is no such method.
   */
  public Optional<RpcError> problem(Rpc.Request request) {
    try {
      RequestMeta.modern(request.params());
    } catch (RpcError.Failure e) {
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
  public Reply begin(Rpc.Request request, Exchange exchange, boolean modern) {
    String correlationId = Ids.uuid7(time).toString();
    try (var _ = MDC.putCloseable(ToolRegistry.CORRELATION_ID, correlationId)) {
      limitRate(request, exchange);
      Outcome outcome = modern ? modern(request, exchange) : legacy(request, exchange);
      return switch (outcome) {
        case Outcome.Now(ObjectNode result) -> new Reply.Ready(success(request, result));
        case Outcome.Later(Outcome.Work work) ->
            new Reply.Later(() -> await(work, request, correlationId));
      };
    } catch (RpcError.Failure e) {
      return new Reply.Ready(Reply.failure(request, e.error()));
    } catch (McpRefusal e) {
      return new Reply.Ready(Reply.failure(request, RpcError.refused(e.refusal())));
    } catch (RuntimeException | Error e) {
      return new Reply.Ready(failed(request, correlationId, e));
    }
  }

  /** The response to what can't be dealt with at all: saying so counts as a request, too. */
  public Reply.Response refuse(JsonNode id, RpcError error, RateLimit rate) {
    RpcError told = overRate(rate).orElse(error);
    return new Reply.Response(Rpc.failure(id, told), Optional.of(told));
  }

  /** Takes a message that wants no answer. */
  public void notified(Rpc.Notification notification, McpClient client) {
    if (notification.method().equals("notifications/cancelled")) {
      client.cancel(notification.params().path("requestId"));
    }
  }

  /** Takes the answer to a request of ours. */
  public void answered(Rpc.Response response, Caller caller) {
    asking.pending().answered(response, caller);
  }

  /** Pushes to a legacy client what it has subscribed to; runs until that has gone. */
  public void push(McpClient client, MessageStream stream) throws InterruptedException {
    legacy.push(client, stream);
  }

  /** Calls of tools have their limit with the tools, and another answer when it is reached. */
  private void limitRate(Rpc.Request request, Exchange exchange) throws RpcError.Failure {
    if (!request.method().equals("tools/call")) {
      Optional<RpcError> over = overRate(exchange.rate());
      if (over.isPresent()) {
        throw new RpcError.Failure(over.get());
      }
    }
  }

  /** Counts what has come; what is wrong, if it came faster than may be. */
  public Optional<RpcError> overRate(RateLimit rate) {
    long waitMillis = rate.take();
    if (waitMillis == 0) {
      return Optional.empty();
    }
    service.tools().countRefusal(ErrorCode.RATE_LIMITED);
    return Optional.of(RpcError.rateLimited(waitMillis));
  }

  private Outcome modern(Rpc.Request request, Exchange exchange) throws RpcError.Failure {
    Optional<RpcError> problem = problem(request);
    if (problem.isPresent()) {
      throw new RpcError.Failure(problem.get());
    }
    RequestMeta meta = RequestMeta.modern(request.params());
    return switch (request.method()) {
      case "server/discover" -> Outcome.now(discover(meta));
      case "subscriptions/listen" -> Outcome.later(() -> listening.listen(request, meta, exchange));
      case "tasks/get" -> Outcome.later(() -> tasks.get(request, meta, exchange));
      case "tasks/update" -> Outcome.later(() -> tasks.update(request, meta, exchange));
      case "tasks/cancel" -> Outcome.later(() -> tasks.cancel(request, meta, exchange));
      default -> shared(request, meta, exchange);
    };
  }

  private Outcome legacy(Rpc.Request request, Exchange exchange) throws RpcError.Failure {
    RequestMeta meta = RequestMeta.legacy(request.params(), exchange.client());
    return switch (request.method()) {
      case "initialize" -> Outcome.now(legacy.initialize(request, exchange));
      case "ping" -> Outcome.now(Json.object());
      case "logging/setLevel" -> Outcome.now(legacy.setLevel(request, exchange));
      case "resources/subscribe" -> Outcome.later(() -> legacy.subscribe(request, meta, exchange));
      case "resources/unsubscribe" -> Outcome.now(legacy.unsubscribe(request, exchange));
      default -> shared(request, meta, exchange);
    };
  }

  private Outcome shared(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure {
    return switch (request.method()) {
      case "tools/list" -> Outcome.now(tools.list(meta));
      case "tools/call" -> tools.call(request, meta, exchange);
      case "prompts/list" -> Outcome.now(prompts.list(meta));
      case "prompts/get" -> Outcome.later(() -> prompts.get(request, meta, exchange));
      case "completion/complete" -> Outcome.later(() -> prompts.complete(request, meta, exchange));
      case "resources/list" -> Outcome.later(() -> resources.list(meta, exchange));
      case "resources/templates/list" -> Outcome.now(resources.templates(meta));
      case "resources/read" -> Outcome.later(() -> resources.read(request, meta, exchange));
      default -> throw new RpcError.Failure(RpcError.methodNotFound(request.method()));
    };
  }

  private ObjectNode discover(RequestMeta meta) {
    ObjectNode result = Json.object();
    Versions.SUPPORTED.forEach(result.putArray("supportedVersions")::add);
    result.set("capabilities", capabilities(true));
    result.put("instructions", service.instructions());
    return results.cacheable(result, Results.LIST_TTL_MILLIS, true, meta);
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
      capabilities.putObject("extensions").putObject(Unmet.TASKS);
    }
    capabilities.putObject("logging");
    return capabilities;
  }

  private Reply.Response await(Outcome.Work work, Rpc.Request request, String correlationId)
      throws InterruptedException {
    try (var _ = MDC.putCloseable(ToolRegistry.CORRELATION_ID, correlationId)) {
      return success(request, work.await());
    } catch (RpcError.Failure e) {
      return Reply.failure(request, e.error());
    } catch (McpRefusal e) {
      return Reply.failure(request, RpcError.refused(e.refusal()));
    } catch (RuntimeException | Error e) {
      return failed(request, correlationId, e);
    }
  }

  private static Reply.Response success(Rpc.Request request, ObjectNode result) {
    return new Reply.Response(Rpc.success(request.id(), result), Optional.empty());
  }

  private static Reply.Response failed(Rpc.Request request, String correlationId, Throwable cause) {
    log.error("the method {} failed", request.method(), cause);
    return Reply.failure(request, RpcError.internal(correlationId));
  }
}
