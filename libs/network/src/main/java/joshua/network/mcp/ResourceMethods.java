package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.UnmetRequirementException;

/** {@code resources/list}, {@code …/templates/list} and {@code …/read}; and watching them. */
final class ResourceMethods {
  private final List<ResourceProvider> providers;
  private final ResultShapes resultShapes;
  private final ClientRequests clientRequests;

  ResourceMethods(McpService service, ResultShapes resultShapes, ClientRequests clientRequests) {
    this.providers = service.resources();
    this.resultShapes = resultShapes;
    this.clientRequests = clientRequests;
  }

  boolean isEmpty() {
    return providers.isEmpty();
  }

  ObjectNode list(RequestMeta meta, RequestContext requestContext) {
    ObjectNode result = Json.object();
    ArrayNode list = result.putArray("resources");
    for (ResourceProvider provider : providers) {
      for (ResourceProvider.Resource resource : provider.list(requestContext.caller())) {
        list.addObject()
            .put("uri", resource.uri())
            .put("name", resource.name())
            .put("title", resource.title())
            .put("description", resource.description())
            .put("mimeType", resource.mimeType());
      }
    }
    return resultShapes.cacheable(result, 0, false, meta);
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
    return resultShapes.cacheable(result, ResultShapes.LIST_TTL_MILLIS, true, meta);
  }

  ObjectNode read(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException, InterruptedException {
    String uri = uri(request);
    CallPeer peer = clientRequests.peer(request, meta, requestContext);
    try {
      for (ResourceProvider provider : providers) {
        Optional<ResourceProvider.Contents> contents =
            provider.read(uri, requestContext.caller(), peer);
        if (contents.isPresent()) {
          ObjectNode result = Json.object();
          result.putArray("contents").add(json(uri, contents.get()));
          return resultShapes.cacheable(result, 0, false, meta);
        }
      }
    } catch (UnmetRequirementException e) {
      return clientRequests.unmet(e, request, meta, requestContext, peer);
    }
    throw notFound(uri, meta);
  }

  /** Notifies {@code feed} when the resource changes; empty if it can't be watched. */
  Optional<ResourceSubscription> watch(String uri, Caller caller, NotificationQueue feed) {
    CatalogChange catalogChange = new CatalogChange.Resource(uri);
    for (ResourceProvider provider : providers) {
      Optional<ResourceSubscription> watch =
          provider.watch(uri, caller, () -> feed.tell(catalogChange));
      if (watch.isPresent()) {
        return watch;
      }
    }
    return Optional.empty();
  }

  static String uri(JsonRpc.Request request) throws RpcError.RpcFailureException {
    if (!request.params().path("uri").isTextual()) {
      throw new RpcError.RpcFailureException(RpcError.missingMeta("params.uri must be a string."));
    }
    return request.params().path("uri").asText();
  }

  static RpcError.RpcFailureException notFound(String uri, RequestMeta meta) {
    return new RpcError.RpcFailureException(
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
