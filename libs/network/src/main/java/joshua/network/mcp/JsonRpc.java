package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;

/** A message of JSON-RPC 2.0 from a client, with factories of messages to it. */
public sealed interface JsonRpc {
  /** Limited, since ids are repeated in answers and notifications. */
  int MAX_ID = 1_024;

  record Request(JsonNode id, String method, ObjectNode params) implements JsonRpc {}

  /** A message without an answer. */
  sealed interface OneWay extends JsonRpc {}

  record Notification(String method, ObjectNode params) implements OneWay {}

  /** A response of the client, which must never be answered. */
  record Response(ObjectNode message) implements OneWay {}

  /** An invalid message; its id is null if it has no recognisable one. */
  record Malformed(JsonNode id, RpcError error) implements JsonRpc {
    private Malformed(RpcError error) {
      this(NullNode.getInstance(), error);
    }
  }

  static JsonRpc parse(byte[] utf8) {
    try {
      return of(Json.parse(utf8));
    } catch (MalformedJsonException e) {
      return new Malformed(RpcError.parse(String.valueOf(e.getMessage())));
    }
  }

  private static JsonRpc of(JsonNode value) {
    if (!(value instanceof ObjectNode message)) {
      return new Malformed(RpcError.invalidRequest("must be one object"));
    }
    if (!message.has("method") && (message.has("result") || message.has("error"))) {
      return new Response(message);
    }
    JsonNode id = message.path("id");
    boolean hasId = (id.isTextual() || id.isIntegralNumber()) && id.asText().length() <= MAX_ID;
    JsonNode method = message.path("method");
    JsonNode params = message.path("params");
    String problem =
        !message.path("jsonrpc").asText().equals("2.0")
            ? "must have jsonrpc \"2.0\""
            : !id.isMissingNode() && !hasId
                ? "must have a string or an integer as id, of at most " + MAX_ID + " characters"
                : !method.isTextual()
                    ? "must have a string as method"
                    : !params.isMissingNode() && !params.isObject()
                        ? "must have an object as params"
                        : "";
    if (!problem.isEmpty()) {
      return new Malformed(hasId ? id : NullNode.getInstance(), RpcError.invalidRequest(problem));
    }
    ObjectNode given = params instanceof ObjectNode object ? object : Json.object();
    return hasId
        ? new Request(id, method.textValue(), given)
        : new Notification(method.textValue(), given);
  }

  static ObjectNode success(JsonNode id, ObjectNode result) {
    return answer(id, "result", result);
  }

  static ObjectNode failure(JsonNode id, RpcError error) {
    return answer(id, "error", error.tree());
  }

  private static ObjectNode answer(JsonNode id, String member, ObjectNode value) {
    ObjectNode message = Json.object().put("jsonrpc", "2.0");
    message.set("id", id);
    return message.set(member, value);
  }

  static ObjectNode notification(String method, ObjectNode params) {
    ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", method);
    return message.set("params", params);
  }

  static ObjectNode request(String id, String method, ObjectNode params) {
    return notification(method, params).put("id", id);
  }
}
