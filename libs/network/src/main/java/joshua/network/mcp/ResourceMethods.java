package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.Unmet;

/** {@code resources/list}, {@code …/templates/list} and {@code …/read}; and watching them. */
final class ResourceMethods {
  private final List<ResourceProvider> providers;
  private final Results results;
  private final Asking asking;

  ResourceMethods(McpService service, Results results, Asking asking) {
    this.providers = service.resources();
    this.results = results;
    this.asking = asking;
  }

  boolean isEmpty() {
    return providers.isEmpty();
  }

  ObjectNode list(RequestMeta meta, Exchange exchange) {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("resources");
    for (ResourceProvider provider : providers) {
      for (ResourceProvider.Resource resource : provider.list(exchange.caller())) {
        list.addObject()
            .put("uri", resource.uri())
            .put("name", resource.name())
            .put("title", resource.title())
            .put("description", resource.description())
            .put("mimeType", resource.mimeType());
      }
    }
    return results.cacheable(result, 0, false, meta);
  }

  ObjectNode templates(RequestMeta meta) {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("resourceTemplates");
    for (ResourceProvider provider : providers) {
      for (ResourceProvider.Template template : provider.templates()) {
        list.addObject()
            .put("uriTemplate", template.uriTemplate())
            .put("name", template.name())
            .put("title", template.title())
            .put("description", template.description())
            .put("mimeType", template.mimeType());
      }
    }
    return results.cacheable(result, Results.LIST_TTL_MILLIS, true, meta);
  }

  ObjectNode read(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure, InterruptedException {
    String uri = uri(request);
    CallPeer peer = asking.peer(request, meta, exchange);
    try {
      for (ResourceProvider provider : providers) {
        Optional<ResourceProvider.Contents> contents = provider.read(uri, exchange.caller(), peer);
        if (contents.isPresent()) {
          ObjectNode result = Json.object();
          result.putArray("contents").add(json(uri, contents.get()));
          return results.cacheable(result, 0, false, meta);
        }
      }
    } catch (Unmet e) {
      return asking.unmet(e, request, meta, exchange, peer);
    }
    throw notFound(uri, meta);
  }

  /** Tells {@code feed} when the resource changes; empty if it can't be watched. */
  Optional<Subscription> watch(String uri, Caller caller, ChangeFeed feed) {
    Change change = new Change.Resource(uri);
    for (ResourceProvider provider : providers) {
      Optional<Subscription> watch = provider.watch(uri, caller, () -> feed.tell(change));
      if (watch.isPresent()) {
        return watch;
      }
    }
    return Optional.empty();
  }

  static String uri(Rpc.Request request) throws RpcError.Failure {
    if (!request.params().path("uri").isTextual()) {
      throw new RpcError.Failure(RpcError.missingMeta("params.uri must be a string."));
    }
    return request.params().path("uri").asText();
  }

  static RpcError.Failure notFound(String uri, RequestMeta meta) {
    return new RpcError.Failure(
        new RpcError(
            meta.isModern() ? RpcError.INVALID_PARAMS : RpcError.LEGACY_RESOURCE_NOT_FOUND,
            "Resource not found",
            Json.object().put("uri", uri),
            false));
  }

  private static ObjectNode json(String uri, ResourceProvider.Contents contents) {
    ObjectNode json = Json.object().put("uri", uri).put("mimeType", contents.mimeType());
    return switch (contents) {
      case ResourceProvider.Contents.Text text -> json.put("text", text.text());
      case ResourceProvider.Contents.Blob blob -> json.put("blob", blob.base64());
    };
  }
}
