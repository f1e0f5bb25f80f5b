package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.util.Map;
import java.util.Set;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.AnswerTurns;
import org.jspecify.annotations.Nullable;

/** A parsed JSON-RPC 2.0 message of a peer, and the writer of ours. */
public sealed interface JsonRpc {
  /**
   * The most characters of an id: it is repeated in what is said while the request is worked on.
   */
  int MAX_ID = 1_024;

  /** What is looked at of a message that isn't parsed. */
  Set<String> MEMBERS = Set.of("id", "method");

  /** A request; it wants a response. */
  record Request(JsonNode id, String method, ObjectNode params) implements JsonRpc {}

  /** A notification; it wants none. */
  record Notification(String method, ObjectNode params) implements JsonRpc {}

  /**
   * A response to a request of ours; {@code error} if it has no result. The id is null if the peer
   * couldn't read the request: JSON-RPC has it so.
   */
  record Response(JsonNode id, JsonNode resultOrError, boolean error) implements JsonRpc {}

  /**
   * A malformed message.
   *
   * @param id its id, if it has a recognisable one
   * @param error why
   */
  record Malformed(JsonNode id, RpcError error) implements JsonRpc {
    /** The error response to its sender. */
    public ObjectNode response() {
      return failure(id, error);
    }
  }

  static JsonRpc read(String text) {
    try {
      return of(Json.parse(text));
    } catch (Json.MalformedJsonException e) {
      return malformed(NullNode.getInstance(), RpcError.parse("The message " + e.getMessage()));
    }
  }

  /** Reads one message; an invalid one is returned as {@link Malformed}. */
  static JsonRpc read(byte[] utf8) {
    try {
      return of(Json.parse(utf8));
    } catch (Json.MalformedJsonException e) {
      return malformed(NullNode.getInstance(), RpcError.parse("The message " + e.getMessage()));
    }
  }

  /** A message that isn't parsed, for the given reason; a short id is still found. */
  static Malformed unread(byte[] utf8, Refusal refusal) {
    return unread(Json.scalars(new ByteArrayInputStream(utf8), MEMBERS), refusal);
  }

  /** Only a request's id is used: a response must never be answered. */
  private static Malformed unread(Map<String, JsonNode> members, Refusal refusal) {
    @Nullable JsonNode id = members.get("method") == null ? null : members.get("id");
    return malformed(id == null ? NullNode.getInstance() : id, RpcError.notRead(refusal));
  }

  private static JsonRpc of(JsonNode value) {
    if (!(value instanceof ObjectNode message)) {
      return malformed(NullNode.getInstance(), RpcError.invalidRequest("must be one object"));
    }
    JsonNode id = message.get("id");
    boolean hasId = id != null && (id.isTextual() || id.isIntegralNumber());
    if (hasId && id.asText().length() > MAX_ID) {
      return malformed(
          NullNode.getInstance(),
          RpcError.invalidRequest("must have an id of at most " + MAX_ID + " characters"));
    }
    JsonNode echo = hasId ? id : NullNode.getInstance();
    boolean ofThisVersion = "2.0".equals(message.path("jsonrpc").asText());
    // It must never be answered: the peer would take that for a response to its own request.
    if ((hasId || !message.has("method")) && (message.has("result") || message.has("error"))) {
      boolean error = !message.has("result");
      return new Response(
          ofThisVersion ? echo : NullNode.getInstance(),
          message.path(error ? "error" : "result"),
          error);
    }
    if (!ofThisVersion) {
      return malformed(echo, RpcError.invalidRequest("must have jsonrpc \"2.0\""));
    }
    if (id != null && !hasId) {
      return malformed(echo, RpcError.invalidRequest("must have a string or an integer as id"));
    }
    JsonNode method = message.get("method");
    if (method == null || !method.isTextual()) {
      return malformed(echo, RpcError.invalidRequest("must have a string as method"));
    }
    JsonNode params = message.get("params");
    if (params != null && !params.isObject()) {
      return malformed(echo, RpcError.invalidRequest("must have an object as params"));
    }
    ObjectNode object = params instanceof ObjectNode given ? given : Json.object();
    return hasId
        ? new Request(id, method.asText(), object)
        : new Notification(method.asText(), object);
  }

  /** Whether a request with these params is one of the stateless protocol. */
  static boolean isModern(ObjectNode params) {
    return RequestMeta.isModern(params);
  }

  private static Malformed malformed(JsonNode id, RpcError error) {
    return new Malformed(id, error);
  }

  static ObjectNode success(JsonNode id, ObjectNode result) {
    ObjectNode response = Json.object().put("jsonrpc", "2.0");
    response.set("id", id);
    response.set("result", result);
    return response;
  }

  public static ObjectNode failure(JsonNode id, RpcError error) {
    ObjectNode response = Json.object().put("jsonrpc", "2.0");
    response.set("id", id);
    response.set("error", error.json());
    return response;
  }

  /** The message as it is sent; a large one in its turn among those of the caller and of others. */
  public static byte[] bytes(ObjectNode message, String caller) throws InterruptedException {
    return ResultShapes.isLarge(message)
        ? AnswerTurns.OF_THIS_PROCESS.inTurn(caller, () -> Json.bytes(message))
        : Json.bytes(message);
  }

  static ObjectNode notification(String method, ObjectNode params) {
    ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", method);
    message.set("params", params);
    return message;
  }

  static ObjectNode request(String id, String method, ObjectNode params) {
    ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
    message.set("params", params);
    return message;
  }
}
