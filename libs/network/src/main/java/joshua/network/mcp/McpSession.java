package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import joshua.kernel.Json;
import joshua.network.CallContext.Question;
import joshua.network.CallContext.UnansweredException;
import joshua.network.Connection;

/**
 * The session of a client: nothing that a client of 2026-07-28 relies on, and nothing that an older
 * one can't do without.
 */
public final class McpSession {
  /** The capabilities that tools may use; others aren't kept. */
  private static final Set<String> CAPABILITIES = Set.of("elicitation", "sampling", "roots");

  private final Map<String, BlockingQueue<ObjectNode>> asked = new ConcurrentHashMap<>();
  private final Map<JsonNode, Connection> running = new ConcurrentHashMap<>();
  private final ResourceSubscriptions subscriptions = new ResourceSubscriptions();
  private volatile JsonNode capabilities = MissingNode.getInstance();
  private volatile JsonNode clientInfo = MissingNode.getInstance();
  private volatile String level = "info";
  private final Optional<String> id;

  /** The session of a single request. */
  public McpSession() {
    this.id = Optional.empty();
  }

  /** A session that outlives its requests. */
  public McpSession(String id) {
    this.id = Optional.of(id);
  }

  Optional<String> id() {
    return id;
  }

  ResourceSubscriptions subscriptions() {
    return subscriptions;
  }

  JsonNode capabilities() {
    return capabilities;
  }

  JsonNode clientInfo() {
    return clientInfo;
  }

  /** Keeps what a client says of itself at its beginning. */
  void initialize(ObjectNode params) {
    JsonNode declared = params.path("capabilities");
    ObjectNode kept = Json.object();
    CAPABILITIES.stream().filter(name -> declared.path(name).isObject()).forEach(kept::putObject);
    capabilities = kept;
    clientInfo = Json.object().set("name", params.at("/clientInfo/name"));
  }

  /** The lowest level of log messages that the client wants. */
  String level() {
    return level;
  }

  void setLevel(String level) {
    this.level = level;
  }

  /** Registers a running request; the result unregisters it. */
  Runnable begin(JsonNode id, Connection connection) {
    running.put(id, connection);
    return () -> running.remove(id, connection);
  }

  /** Handles a notification or a response of the client. */
  public void take(JsonRpc.OneWay message) {
    switch (message) {
      case JsonRpc.Notification(String method, ObjectNode params) -> {
        if (method.equals("notifications/cancelled")) {
          Connection connection = running.remove(params.path("requestId"));
          if (connection != null) {
            connection.close();
          }
        }
      }
      case JsonRpc.Response(ObjectNode response) -> {
        BlockingQueue<ObjectNode> waiting = asked.remove(response.path("id").asText());
        if (waiting != null) {
          waiting.add(response);
        }
      }
    }
  }

  /** Asks the client one question after the other ({@link CallContext#ask}). */
  Map<String, ObjectNode> ask(Map<String, Question> questions, Predicate<ObjectNode> toClient)
      throws InterruptedException {
    Map<String, ObjectNode> answers = new HashMap<>();
    for (Map.Entry<String, Question> each : questions.entrySet()) {
      answers.put(each.getKey(), ask(each.getValue(), toClient));
    }
    return answers;
  }

  private ObjectNode ask(Question question, Predicate<ObjectNode> toClient)
      throws InterruptedException {
    String id = UUID.randomUUID().toString();
    BlockingQueue<ObjectNode> waiting = new ArrayBlockingQueue<>(1);
    asked.put(id, waiting);
    try {
      if (!toClient.test(JsonRpc.request(id, question.method(), question.params()))) {
        throw new UnansweredException("The client reads nothing.");
      }
      return answer(question, waiting.take());
    } finally {
      asked.remove(id);
    }
  }

  private static ObjectNode answer(Question question, ObjectNode response) {
    if (response.get("result") instanceof ObjectNode result && question.isAnsweredBy(result)) {
      return result;
    }
    String problem = response.at("/error/message").asText("what it says is no answer");
    throw new UnansweredException(
        "The client doesn't answer %s: %s".formatted(question.method(), problem));
  }

  public void close() {
    subscriptions.close();
  }
}
