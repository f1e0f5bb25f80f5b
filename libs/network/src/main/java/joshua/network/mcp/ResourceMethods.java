package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.network.ResourceProvider;
import joshua.network.ResourceProvider.Contents;
import joshua.network.ResourceProvider.Resource;
import joshua.network.mcp.McpServer.Result;

/** MCP's methods for resources, and how clients are told that those they watch have changed. */
final class ResourceMethods {
  private static final String META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  private static final Duration TOLD_WITHIN = Duration.ofSeconds(1);

  private final ResourceProvider resources;
  private final Map<Watches, CompletableFuture<Boolean>> listening = new ConcurrentHashMap<>();

  ResourceMethods(ResourceProvider resources) {
    this.resources = resources;
  }

  ObjectNode list(McpCall call) {
    return list("resources", "uri", resources.resources(call.caller()));
  }

  ObjectNode templates() {
    return list("resourceTemplates", "uriTemplate", resources.templates());
  }

  private static ObjectNode list(String member, String address, List<Resource> listed) {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray(member);
    for (Resource resource : listed) {
      list.addObject()
          .put(address, resource.uri())
          .put("name", resource.name())
          .put("title", resource.title())
          .put("description", resource.description())
          .put("mimeType", resource.mimeType());
    }
    return result;
  }

  ObjectNode read(McpCall call) {
    String uri = uri(call);
    Contents contents = resources.read(uri, call.caller()).orElseThrow(() -> notFound(call, uri));
    ObjectNode result = Json.object();
    result
        .putArray("contents")
        .addObject()
        .put("uri", uri)
        .put("mimeType", contents.mimeType())
        .put(contents.binary() ? "blob" : "text", contents.text());
    return result;
  }

  private static String uri(McpCall call) {
    JsonNode uri = call.params().path("uri");
    if (!uri.isTextual()) {
      throw RpcError.invalidParams("params.uri must be a string.");
    }
    return uri.textValue();
  }

  private static RpcError notFound(McpCall call, String uri) {
    return RpcError.resourceNotFound(uri, call.isModern());
  }

  ObjectNode subscribe(McpCall call) {
    String uri = uri(call);
    if (!call.session().watches().add(uri, resources, call.caller())) {
      throw notFound(call, uri);
    }
    return Json.object();
  }

  ObjectNode unsubscribe(McpCall call) {
    call.session().watches().remove(uri(call));
    return Json.object();
  }

  /** Tells a client of 2026-07-28 of changes, until it goes or the service stops. */
  CompletableFuture<Result> listen(McpCall call) {
    Watches watches = new Watches();
    ObjectNode honoured = Json.object();
    ArrayNode watched = honoured.putArray("resourceSubscriptions");
    for (JsonNode uri : call.params().path("notifications").path("resourceSubscriptions")) {
      if (uri.isTextual() && watches.add(uri.textValue(), resources, call.caller())) {
        watched.add(uri);
      }
    }
    call.tell(
        "notifications/subscriptions/acknowledged",
        ofSubscription(call, Json.object().set("notifications", honoured)));
    return tell(watches, call).whenComplete((result, failure) -> watches.close());
  }

  /** Tells an older client of changes, until it goes or the service stops. */
  CompletableFuture<Result> push(McpCall call) {
    return tell(call.session().watches(), call);
  }

  private CompletableFuture<Result> tell(Watches watches, McpCall call) {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    listening.put(watches, ended);
    var _ = ended.thenRun(() -> listening.remove(watches, ended));
    return call.caller()
        .connection()
        .onThreadOfItsOwn(
            "listen",
            () -> {
              watches.tell(uri ->
                  call.tell(
                      "notifications/resources/updated",
                      ofSubscription(call, Json.object().put("uri", uri))));
              return new Result(ofSubscription(call, Json.object()), ended::complete);
            })
        .whenComplete((result, failure) -> {
          if (failure != null) {
            ended.complete(false);
          }
        });
  }

  private static ObjectNode ofSubscription(McpCall call, ObjectNode params) {
    if (call.isModern()) {
      params.withObjectProperty("_meta").set(META_SUBSCRIPTION, call.request().id());
    }
    return params;
  }

  /** Ends all listening, and waits a moment for the results that say so to be written. */
  void close() {
    CompletableFuture<Void> ended =
        CompletableFuture.allOf(listening.values().toArray(CompletableFuture<?>[]::new));
    listening.keySet().forEach(Watches::close);
    var _ = ended.completeOnTimeout(null, TOLD_WITHIN.toMillis(), TimeUnit.MILLISECONDS).join();
  }
}
