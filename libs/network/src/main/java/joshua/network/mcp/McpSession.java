package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import joshua.network.CallContext.Question;
import joshua.network.CallContext.UnansweredException;
import joshua.network.Connection;

/**
 * What is known of a client between its requests: nothing that a client of 2026-07-28 relies on,
 * and nothing that an older one can't do without, should it be forgotten.
 */
public final class McpSession {
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();
  private final Map<JsonNode, Connection> running = new ConcurrentHashMap<>();
  private final Watches watches = new Watches();
  private volatile Set<String> answered = Set.of();
  private volatile String level = "info";

  private record Asked(Question question, CompletableFuture<ObjectNode> answer) {}

  /** The resources that its client watches. */
  Watches watches() {
    return watches;
  }

  /** The methods of the questions that the client answers. */
  Set<String> answered() {
    return answered;
  }

  void setCapabilities(JsonNode capabilities) {
    answered = Capabilities.methods(capabilities);
  }

  /** The least level of what the client wants to be told. */
  String level() {
    return level;
  }

  void setLevel(String level) {
    this.level = level;
  }

  /** A request begins; the result says that it has ended. */
  Runnable begin(JsonNode id, Connection connection) {
    running.put(id, connection);
    return () -> running.remove(id, connection);
  }

  /** Takes a notification of the client. */
  public void notified(JsonRpc.Notification notification) {
    if (notification.method().equals("notifications/cancelled")) {
      Connection connection = running.remove(notification.params().path("requestId"));
      if (connection != null) {
        connection.close();
      }
    }
  }

  /** Asks the client. */
  CompletableFuture<ObjectNode> ask(Question question, Predicate<ObjectNode> toClient) {
    String id = UUID.randomUUID().toString();
    Asked waiting = new Asked(question, new CompletableFuture<>());
    asked.put(id, waiting);
    if (!toClient.test(JsonRpc.request(id, question.method(), question.params()))) {
      waiting.answer().completeExceptionally(new UnansweredException("The client reads nothing."));
    }
    return waiting.answer().whenComplete((answer, failure) -> asked.remove(id));
  }

  /** Takes an answer of the client. */
  public void answered(JsonRpc.Response response) {
    Asked waiting = asked.get(response.message().path("id").asText());
    if (waiting == null) {
      return;
    }
    JsonNode error = response.message().path("error");
    if (response.message().get("result") instanceof ObjectNode result
        && Capabilities.fits(waiting.question().method(), result)) {
      waiting.answer().complete(result);
    } else {
      waiting
          .answer()
          .completeExceptionally(
              new UnansweredException(
                  error.isObject()
                      ? "The client answers %s with an error: %s"
                          .formatted(waiting.question().method(), error.path("message").asText())
                      : "The client's answer to %s isn't one."
                          .formatted(waiting.question().method())));
    }
  }

  /** Forgets what its client watches. */
  public void close() {
    watches.close();
  }
}
