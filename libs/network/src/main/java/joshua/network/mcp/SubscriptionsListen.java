package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;

/**
 * {@code subscriptions/listen}: a request that is acknowledged with the filter that is honoured,
 * then gets notifications, and gets its result when the service stops.
 */
final class SubscriptionsListen {
  private final ChangeNotifier changeNotifier;
  private final ResourceMethods resources;
  private final TaskMethods tasks;
  private final ResultShapes resultShapes;
  private final WatchBudget budget;
  private final TimedWait timedWait;

  SubscriptionsListen(
      McpService service,
      ResourceMethods resources,
      TaskMethods tasks,
      ResultShapes resultShapes,
      WatchBudget budget,
      TimedWait timedWait) {
    this.budget = budget;
    this.changeNotifier = service.changes();
    this.resources = resources;
    this.tasks = tasks;
    this.resultShapes = resultShapes;
    this.timedWait = timedWait;
  }

  /** The subscriptions of one request, to be closed after it. */
  private record Heard(
      ObjectNode honoured, Set<CatalogChange> changes, List<ResourceSubscription> watches) {}

  ObjectNode listen(JsonRpc.Request request, RequestMeta meta, RequestContext requestContext)
      throws RpcError.RpcFailureException, InterruptedException {
    if (!(request.params().get("notifications") instanceof ObjectNode filter)) {
      throw new RpcError.RpcFailureException(
          RpcError.invalidParams("params.notifications must be an object."));
    }
    NotificationQueue feed = new NotificationQueue(timedWait);
    Heard heard = heard(filter, meta, requestContext, feed);
    boolean going = requestContext.client().listening(feed);
    try (ResourceSubscription _ = changeNotifier.subscribe(heard.changes(), feed)) {
      ObjectNode acknowledged = Json.object();
      acknowledged.set("_meta", RequestMeta.subscription(request.id()));
      acknowledged.set("notifications", heard.honoured());
      requestContext.stream()
          .send(JsonRpc.notification("notifications/subscriptions/acknowledged", acknowledged));
      if (going) {
        feed.run(catalogChange -> pass(catalogChange, request.id(), requestContext));
      }
    } finally {
      requestContext.client().notListening(feed);
      heard.watches().forEach(ResourceSubscription::close);
    }
    ObjectNode result = Json.object();
    result.set("_meta", RequestMeta.subscription(request.id()));
    return resultShapes.complete(result, meta);
  }

  private Heard heard(
      ObjectNode filter, RequestMeta meta, RequestContext requestContext, NotificationQueue feed) {
    ObjectNode honoured = Json.object();
    Set<CatalogChange> wanted = new HashSet<>();
    List<ResourceSubscription> watches = new ArrayList<>();
    for (CatalogChange.Lists list : CatalogChange.Lists.values()) {
      if (filter.path(list.filter()).asBoolean(false)) {
        honoured.put(list.filter(), true);
        wanted.add(list);
      }
    }
    ArrayNode uris = Json.object().putArray("uris");
    for (JsonNode uri : limited(filter.path("resourceSubscriptions"))) {
      Optional<ResourceSubscription> room = budget.take(requestContext.caller());
      if (room.isEmpty()) {
        break;
      }
      Optional<ResourceSubscription> watch =
          resources.watch(uri.asText(), requestContext.caller(), feed);
      if (watch.isPresent()) {
        watches.add(watch.get());
        watches.add(room.get());
        uris.add(uri);
      } else {
        room.get().close();
      }
    }
    if (!uris.isEmpty()) {
      honoured.set("resourceSubscriptions", uris);
    }
    ArrayNode ids = Json.object().putArray("ids");
    for (JsonNode id : limited(filter.path("taskIds"))) {
      if (meta.capabilities().takesTasks() && tasks.exists(id.asText(), requestContext.caller())) {
        Optional<ResourceSubscription> room = budget.take(requestContext.caller());
        if (room.isEmpty()) {
          break;
        }
        watches.add(room.get());
        CatalogChange catalogChange = new CatalogChange.Task(id.asText());
        wanted.add(catalogChange);
        // The state before this request is sent first, so that no change is missed in between.
        feed.tell(catalogChange);
        ids.add(id);
      }
    }
    if (!ids.isEmpty()) {
      honoured.set("taskIds", ids);
    }
    return new Heard(honoured, wanted, watches);
  }

  private void pass(
      CatalogChange catalogChange, JsonNode subscriptionId, RequestContext requestContext) {
    ObjectNode params = catalogChange.params();
    if (catalogChange instanceof CatalogChange.Task(String taskId)) {
      Optional<ObjectNode> task = tasks.told(taskId, requestContext.caller());
      if (task.isEmpty()) {
        return;
      }
      params = task.get();
    }
    params.set("_meta", RequestMeta.subscription(subscriptionId));
    requestContext.stream().send(JsonRpc.notification(catalogChange.method(), params));
  }

  private static List<JsonNode> limited(JsonNode list) {
    return list.valueStream()
        .filter(JsonNode::isTextual)
        .distinct()
        .limit(McpClient.MAX_WATCHES)
        .toList();
  }
}
