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
import joshua.kernel.Pause;

/**
 * {@code subscriptions/listen}: a request that is acknowledged with what it will hear, then hears
 * it, and gets its result when the service stops.
 */
final class Listening {
  private final Changes changes;
  private final ResourceMethods resources;
  private final TaskMethods tasks;
  private final Results results;
  private final WatchBudget budget;
  private final Pause pause;

  Listening(
      McpService service,
      ResourceMethods resources,
      TaskMethods tasks,
      Results results,
      WatchBudget budget,
      Pause pause) {
    this.budget = budget;
    this.changes = service.changes();
    this.resources = resources;
    this.tasks = tasks;
    this.results = results;
    this.pause = pause;
  }

  /** What one request hears, and what has to be closed after it. */
  private record Heard(ObjectNode honoured, Set<Change> changes, List<Subscription> watches) {}

  ObjectNode listen(Rpc.Request request, RequestMeta meta, Exchange exchange)
      throws RpcError.Failure, InterruptedException {
    if (!(request.params().get("notifications") instanceof ObjectNode filter)) {
      throw new RpcError.Failure(RpcError.invalidParams("params.notifications must be an object."));
    }
    ChangeFeed feed = new ChangeFeed(pause);
    Heard heard = heard(filter, meta, exchange, feed);
    boolean going = exchange.client().listening(feed);
    try (Subscription _ = changes.subscribe(heard.changes(), feed)) {
      ObjectNode acknowledged = Json.object();
      acknowledged.set("_meta", RequestMeta.subscription(request.id()));
      acknowledged.set("notifications", heard.honoured());
      exchange.stream()
          .send(Rpc.notification("notifications/subscriptions/acknowledged", acknowledged));
      if (going) {
        feed.run(change -> pass(change, request.id(), exchange));
      }
    } finally {
      exchange.client().notListening(feed);
      heard.watches().forEach(Subscription::close);
    }
    ObjectNode result = Json.object();
    result.set("_meta", RequestMeta.subscription(request.id()));
    return results.complete(result, meta);
  }

  private Heard heard(ObjectNode filter, RequestMeta meta, Exchange exchange, ChangeFeed feed) {
    ObjectNode honoured = Json.object();
    Set<Change> wanted = new HashSet<>();
    List<Subscription> watches = new ArrayList<>();
    for (Change.Lists list : Change.Lists.values()) {
      if (filter.path(list.filter()).asBoolean(false)) {
        honoured.put(list.filter(), true);
        wanted.add(list);
      }
    }
    ArrayNode uris = Json.object().putArray("uris");
    for (JsonNode uri : limited(filter.path("resourceSubscriptions"))) {
      Optional<Subscription> room = budget.take(exchange.caller());
      if (room.isEmpty()) {
        break;
      }
      Optional<Subscription> watch = resources.watch(uri.asText(), exchange.caller(), feed);
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
      if (meta.capabilities().takesTasks() && tasks.exists(id.asText(), exchange.caller())) {
        Optional<Subscription> room = budget.take(exchange.caller());
        if (room.isEmpty()) {
          break;
        }
        watches.add(room.get());
        Change change = new Change.Task(id.asText());
        wanted.add(change);
        // What it has come to before this request is told first, so that nothing falls between.
        feed.tell(change);
        ids.add(id);
      }
    }
    if (!ids.isEmpty()) {
      honoured.set("taskIds", ids);
    }
    return new Heard(honoured, wanted, watches);
  }

  private void pass(Change change, JsonNode subscriptionId, Exchange exchange) {
    ObjectNode params = change.params();
    if (change instanceof Change.Task(String taskId)) {
      Optional<ObjectNode> task = tasks.told(taskId, exchange.caller());
      if (task.isEmpty()) {
        return;
      }
      params = task.get();
    }
    params.set("_meta", RequestMeta.subscription(subscriptionId));
    exchange.stream().send(Rpc.notification(change.method(), params));
  }

  private static List<JsonNode> limited(JsonNode list) {
    return list.valueStream()
        .filter(JsonNode::isTextual)
        .distinct()
        .limit(McpClient.MAX_WATCHES)
        .toList();
  }
}
