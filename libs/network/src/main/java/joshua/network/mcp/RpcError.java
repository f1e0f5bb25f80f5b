package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.TextExcerpt;
import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC error, with the codes that MCP defines.
 *
 * @param data more for the client's program; null if there is nothing
 * @param malformed whether the request itself can't be handled, as opposed to what it asks for:
 *     over HTTP that is status 400
 */
public record RpcError(int code, String message, @Nullable ObjectNode data, boolean malformed) {
  static final int PARSE = -32700;
  public static final int INVALID_REQUEST = -32600;
  static final int METHOD_NOT_FOUND = -32601;
  static final int INVALID_PARAMS = -32602;
  static final int INTERNAL = -32603;
  static final int LEGACY_RESOURCE_NOT_FOUND = -32002;
  static final int HEADER_MISMATCH = -32020;
  static final int MISSING_CAPABILITY = -32021;
  static final int UNSUPPORTED_VERSION = -32022;

  /** Ours, outside the range that JSON-RPC and MCP keep for themselves: a limit was reached. */
  static final int LIMIT = -31000;

  /** Ours: the request is refused, {@code data.code} has the reason. */
  static final int REFUSED = -31001;

  /** The most characters of a client's input that an error message repeats. */
  private static final int MAX_SHOWN = 100;

  static RpcError parse(String message) {
    return new RpcError(PARSE, message, null, true);
  }

  static RpcError invalidRequest(String rule) {
    return new RpcError(INVALID_REQUEST, "A message " + rule + ".", null, true);
  }

  static RpcError methodNotFound(String method) {
    String shown = method.length() > MAX_SHOWN ? "of that name" : "\"" + method + "\"";
    return new RpcError(METHOD_NOT_FOUND, "There is no method " + shown + " here.", null, false);
  }

  static RpcError invalidParams(String message) {
    return new RpcError(INVALID_PARAMS, message, null, false);
  }

  static RpcError missingMeta(String message) {
    return new RpcError(INVALID_PARAMS, message, null, true);
  }

  public static RpcError headerMismatch(String message) {
    return new RpcError(HEADER_MISMATCH, message, null, true);
  }

  static RpcError missingCapability(ObjectNode required) {
    ObjectNode data = Json.object();
    data.set("requiredCapabilities", required);
    return new RpcError(
        MISSING_CAPABILITY,
        "This needs a capability that the request doesn't declare: " + Json.write(required) + ".",
        data,
        true);
  }

  static RpcError unsupportedVersion(String requested) {
    ObjectNode data = Json.object().put("requested", TextExcerpt.of(requested, MAX_SHOWN));
    ProtocolVersions.SUPPORTED.forEach(data.putArray("supported")::add);
    return new RpcError(
        UNSUPPORTED_VERSION, "That protocol version is not spoken here.", data, true);
  }

  static RpcError internal(String correlationId) {
    return new RpcError(
        INTERNAL,
        "The service failed; its log tells more under correlation id " + correlationId + ".",
        Json.object().put("correlation_id", correlationId),
        false);
  }

  static RpcError rateLimited(long waitMillis) {
    return new RpcError(
        LIMIT,
        "This connection makes requests faster than it may; wait %d ms.".formatted(waitMillis),
        Json.object()
            .put("code", ErrorCode.RATE_LIMITED.wireName())
            .put("retry_after_ms", waitMillis),
        false);
  }

  static RpcError refused(Refusal refusal) {
    ObjectNode data = Json.object().put("code", refusal.code().wireName());
    refusal.details().forEach(data::set);
    return new RpcError(REFUSED, refusal.message(), data, false);
  }

  /** A message is larger than may be; it wasn't read. */
  public static RpcError tooLarge(long limit) {
    return new RpcError(
        LIMIT,
        "A message is larger than the %d bytes that JOSHUA_FRAME_LIMIT allows.".formatted(limit),
        Json.object().put("code", ErrorCode.TOO_LARGE.wireName()),
        true);
  }

  /** A message that isn't parsed: it would take too much memory, or too much is in use now. */
  static RpcError notRead(Refusal refusal) {
    return new RpcError(
        LIMIT,
        refusal.message(),
        Json.object().put("code", refusal.code().wireName()),
        refusal.code() == ErrorCode.TOO_LARGE);
  }

  /** The token was removed from the tokens file, or given to another client, during the request. */
  public static RpcError revoked() {
    return new RpcError(
        REFUSED,
        "The token is no longer in force, or stands for another name or role.",
        Json.object().put("code", ErrorCode.UNAUTHENTICATED.wireName()),
        false);
  }

  /** The session that a legacy client names was ended. */
  public static RpcError noSession() {
    return new RpcError(INVALID_REQUEST, "That session has ended; initialize anew.", null, true);
  }

  /** The request needs state beyond itself, and its client has none here. */
  public static RpcError needsSession() {
    return new RpcError(
        INVALID_REQUEST,
        "Without a session nobody can be told of changes: initialize, and send the Mcp-Session-Id"
            + " that is answered.",
        null,
        true);
  }

  /** More requests are under way than may be. */
  public static RpcError tooMany(int most) {
    return overloaded(
        "%d requests, or as many as memory allows, are under way; await some first."
            .formatted(most));
  }

  /** An answer that was made, and that can't be held until its reader takes it. */
  public static RpcError slowReader(String reason) {
    return overloaded(
        "Your response was given up, since it is read too slowly: %s.".formatted(reason));
  }

  public static RpcError noRoom() {
    return overloaded(
        "The answer was made, and there is no room to hold it: other clients read too slowly. What"
            + " was asked for has been done.");
  }

  /** A body that can't be read now, because those of other requests take all the room. */
  public static RpcError noRoomToRead() {
    return overloaded("Too much is being read from others; try again soon.");
  }

  private static RpcError overloaded(String sentence) {
    return new RpcError(
        LIMIT, sentence, Json.object().put("code", ErrorCode.OVERLOADED.wireName()), false);
  }

  /** The HTTP status that goes with it at protocol version 2026-07-28. */
  public int httpStatus() {
    if (code == METHOD_NOT_FOUND) {
      return 404;
    }
    if (code == LIMIT) {
      return malformed ? 413 : 429;
    }
    return malformed ? 400 : 200;
  }

  ObjectNode json() {
    ObjectNode error = Json.object().put("code", code).put("message", message);
    if (data != null) {
      error.set("data", data);
    }
    return error;
  }

  /** Thrown inside the engine, from where the fault is found to where the response is made. */
  static final class RpcFailureException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient RpcError error;

    RpcFailureException(RpcError error) {
      super(error.message(), null, false, false);
      this.error = error;
    }

    RpcError error() {
      return error;
    }
  }
}
