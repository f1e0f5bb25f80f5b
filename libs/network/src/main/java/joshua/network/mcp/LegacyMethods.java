package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.network.Peer;

/**
 * What only clients of 2025-11-25 and before call: {@code initialize}, {@code ping}, {@code
 * logging/setLevel}, {@code resources/subscribe} and {@code …/unsubscribe}.
 */
final class LegacyMethods {
  private final WatchBudget budget;
  private final McpService service;
  private final Results results;
  private final ResourceMethods resources;
  private final ObjectNode capabilities;

  LegacyMethods(
      McpService service,
      Results results,
      ResourceMethods resources,
      WatchBudget budget,
      ObjectNode capabilities) {
    this.budget = budget;
    this.service = service;
    this.results = results;
    this.resources = resources;
    this.capabilities = capabilities;
  }

  ObjectNode initialize(Rpc.Request request, Exchange exchange) throws RpcError.Failure {
    if (!request.params().path("protocolVersion").isTextual()) {
      throw new RpcError.Failure(
          RpcError.invalidParams("params.protocolVersion must be a string."));
    }
    exchange.client().initialized(Capabilities.of(request.params().path("capabilities")));
    ObjectNode result = Json.object();
    result.put(
        "protocolVersion", Versions.negotiated(request.params().path("protocolVersion").asText()));
    result.set("capabilities", capabilities);
    result.set("serverInfo", results.serverInfo());
    return result.put("instructions", service.instructions());
  }

  ObjectNode setLevel(Rpc.Request request, Exchange exchange) throws RpcError.Failure {
    Optional<Peer.Level> level = RequestMeta.level(request.params().path("level"));
    if (level.isEmpty()) {
      throw new RpcError.Failure(
          RpcError.invalidParams("params.level must be debug, info, … or emergency."));
    }
    exchange.client().logLevel(level.get());
    return Json.object();
  }

  ObjectNode subscribe(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure {
    String uri = ResourceMethods.uri(request);
    Subscription room =
        budget
            .take(exchange.caller())
            .orElseThrow(() ->
                tooMany(
                    "All clients together may watch %d resources at once, and a token %d."
                        .formatted(WatchBudget.MAX_WATCHES, WatchBudget.MAX_OF_A_TOKEN)));
    Optional<Subscription> watch =
        resources.watch(uri, exchange.caller(), exchange.client().pushes());
    if (watch.isEmpty()) {
      room.close();
      throw ResourceMethods.notFound(uri, meta);
    }
    Subscription counted =
        () -> {
          watch.get().close();
          room.close();
        };
    if (!exchange.client().keep(uri, counted)) {
      counted.close();
      throw tooMany("A client may watch %d resources at once.".formatted(McpClient.MAX_WATCHES));
    }
    return Json.object();
  }

  private static RpcError.Failure tooMany(String sentence) {
    return new RpcError.Failure(
        new RpcError(
            RpcError.LIMIT,
            sentence,
            Json.object().put("code", ErrorCode.OVERLOADED.wireName()),
            false));
  }

  ObjectNode unsubscribe(Rpc.Request request, Exchange exchange) throws RpcError.Failure {
    exchange.client().drop(ResourceMethods.uri(request));
    return Json.object();
  }

  /** Passes on to a client what it has subscribed to and which lists change, until it has gone. */
  void push(McpClient client, MessageStream stream) throws InterruptedException {
    try (Subscription _ =
        service.changes().subscribe(Set.of(Change.Lists.values()), client.pushes())) {
      client
          .pushes()
          .run(change -> stream.send(Rpc.notification(change.method(), change.params())));
    }
  }
}
