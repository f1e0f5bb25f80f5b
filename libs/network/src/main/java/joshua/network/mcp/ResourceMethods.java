package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import joshua.kernel.Json;
import joshua.network.ResourceProvider;
import joshua.network.ResourceProvider.Contents;
import joshua.network.ResourceProvider.Resource;
import joshua.network.mcp.McpServer.Result;

/** MCP's methods for resources, and the notification of clients that watch them. */
final class ResourceMethods {
  private static final String META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  private final ResourceProvider resources;
  private final Map<McpCall, ResourceSubscriptions> listening = new ConcurrentHashMap<>();

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
    if (!call.session().subscriptions().add(uri, resources, call.caller())) {
      throw notFound(call, uri);
    }
    return Json.object();
  }

  ObjectNode unsubscribe(McpCall call) {
    call.session().subscriptions().remove(uri(call));
    return Json.object();
  }

  /** Handles {@code subscriptions/listen} of a client of 2026-07-28. */
  CompletableFuture<Result> listen(McpCall call) {
    ResourceSubscriptions subscriptions = new ResourceSubscriptions();
    ObjectNode honoured = Json.object();
    ArrayNode watched = honoured.putArray("resourceSubscriptions");
    for (JsonNode uri : call.params().path("notifications").path("resourceSubscriptions")) {
      if (uri.isTextual() && subscriptions.add(uri.textValue(), resources, call.caller())) {
        watched.add(uri);
      }
    }
    call.tell(
        "notifications/subscriptions/acknowledged",
        ofSubscription(call, Json.object().set("notifications", honoured)));
    return tell(subscriptions, call).whenComplete((result, failure) -> subscriptions.close());
  }

  /** Notifies a client of changes, until it goes or the service stops. */
  CompletableFuture<Result> tell(ResourceSubscriptions subscriptions, McpCall call) {
    listening.put(call, subscriptions);
    return call.caller()
        .connection()
        .runBlocking(
            "listen",
            () -> {
              subscriptions.deliver(uri ->
                  call.tell(
                      "notifications/resources/updated",
                      ofSubscription(call, Json.object().put("uri", uri))));
              return Result.of(ofSubscription(call, Json.object()));
            })
        .whenComplete((result, failure) -> listening.remove(call));
  }

  private static ObjectNode ofSubscription(McpCall call, ObjectNode params) {
    if (call.isModern()) {
      params.withObjectProperty("_meta").set(META_SUBSCRIPTION, call.request().id());
    }
    return params;
  }

  void close() {
    listening.values().forEach(ResourceSubscriptions::close);
  }
}
