package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.network.CallContext;

/**
 * The methods that only clients of 2025-11-25 and before call: {@code initialize}, {@code ping},
 * {@code logging/setLevel}, {@code resources/subscribe} and {@code …/unsubscribe}.
 */
final class LegacyMethods {
  private final WatchBudget budget;
  private final McpService service;
  private final ResultShapes resultShapes;
  private final ResourceMethods resources;
  private final ObjectNode capabilities;

  LegacyMethods(
      McpService service,
      ResultShapes resultShapes,
      ResourceMethods resources,
      WatchBudget budget,
      ObjectNode capabilities) {
    this.budget = budget;
    this.service = service;
    this.resultShapes = resultShapes;
    this.resources = resources;
    this.capabilities = capabilities;
  }

  ObjectNode initialize(JsonRpc.Request request, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    if (!request.params().path("protocolVersion").isTextual()) {
      throw new RpcError.RpcFailureException(
          RpcError.invalidParams("params.protocolVersion must be a string."));
    }
    requestContext
        .client()
        .initialized(ClientCapabilities.of(request.params().path("capabilities")));
    ObjectNode result = Json.object();
    result.put(
        "protocolVersion",
        ProtocolVersions.negotiated(request.params().path("protocolVersion").asText()));
    result.set("capabilities", capabilities);
    result.set("serverInfo", resultShapes.serverInfo());
    return result.put("instructions", service.instructions());
  }

  ObjectNode setLevel(JsonRpc.Request request, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    Optional<CallContext.Level> level = RequestMeta.level(request.params().path("level"));
    if (level.isEmpty()) {
      throw new RpcError.RpcFailureException(
          RpcError.invalidParams("params.level must be debug, info, … or emergency."));
    }
    requestContext.client().logLevel(level.get());
    return Json.object();
  }

  ObjectNode subscribe(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    String uri = ResourceMethods.uri(request);
    ResourceSubscription room =
        budget
            .take(requestContext.caller())
            .orElseThrow(() ->
                tooMany(
                    "All clients together may watch %d resources at once, and a token %d."
                        .formatted(WatchBudget.MAX_WATCHES, WatchBudget.MAX_OF_A_TOKEN)));
    Optional<ResourceSubscription> watch =
        resources.watch(uri, requestContext.caller(), requestContext.client().pushes());
    if (watch.isEmpty()) {
      room.close();
      throw ResourceMethods.notFound(uri, meta);
    }
    ResourceSubscription counted =
        () -> {
          watch.get().close();
          room.close();
        };
    if (!requestContext.client().keep(uri, counted)) {
      counted.close();
      throw tooMany("A client may watch %d resources at once.".formatted(McpClient.MAX_WATCHES));
    }
    return Json.object();
  }

  private static RpcError.RpcFailureException tooMany(String sentence) {
    return new RpcError.RpcFailureException(
        new RpcError(
            RpcError.LIMIT,
            sentence,
            Json.object().put("code", ErrorCode.OVERLOADED.wireName()),
            false));
  }

  ObjectNode unsubscribe(JsonRpc.Request request, RequestContext requestContext)
      throws RpcError.RpcFailureException {
    requestContext.client().drop(ResourceMethods.uri(request));
    return Json.object();
  }

  /** Sends a client the changes of its subscriptions and of lists, until it has gone. */
  void push(McpClient client, MessageStream stream) throws InterruptedException {
    try (ResourceSubscription _ =
        service.changes().subscribe(Set.of(CatalogChange.Lists.values()), client.pushes())) {
      client
          .pushes()
          .run(catalogChange ->
              stream.send(JsonRpc.notification(catalogChange.method(), catalogChange.params())));
    }
  }
}
